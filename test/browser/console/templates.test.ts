import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SharedEngine, sharedEngine } from '../../shared-engine.ts';
import { pdf } from '../action-page/files.ts';
import { barriers } from '../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture, watch } from '../chromium.ts';

const WORDS = {
  en: {
    ...{
      open: 'Open the console',
      title: 'Templates',
      create: 'New template',
      role: 'Role',
      name: 'Name of the template',
    },
    ...{ marks: 'Place the marks', signature: 'Signature: {{Inquilino}}', saved: 'The marks are saved.' },
    ...{
      back: 'Back to the draft',
      save: 'Save the template',
      stored: 'The template is saved.',
      next: 'Continue',
    },
    ...{ many: 'Use a spreadsheet', start: 'Send 30 documents', ended: 'Done, with refused lines' },
    ...{ download: 'Download all refused lines', addRole: 'Add a person' },
  },
  'pt-BR': {
    ...{
      open: 'Abrir o painel',
      title: 'Modelos',
      create: 'Novo modelo',
      role: 'Papel',
      name: 'Nome do modelo',
    },
    ...{
      marks: 'Posicionar as marcas',
      signature: 'Assinatura: {{Inquilino}}',
      saved: 'As marcas estão salvas.',
    },
    ...{
      back: 'Voltar ao rascunho',
      save: 'Salvar o modelo',
      stored: 'O modelo está salvo.',
      next: 'Continuar',
    },
    ...{ many: 'Usar uma planilha', start: 'Enviar 30 documentos', ended: 'Pronto, com linhas recusadas' },
    ...{ download: 'Baixar todas as linhas recusadas', addRole: 'Acrescentar pessoa' },
  },
} as const;

const PEOPLE = ['Ana Prado', 'Bruno Lima', 'Carla Dias', 'Davi Souza', 'Elisa Rocha'];

/** A name that looks like markup and is read from the right; a wrong CPF and a mark of direction are refused. */
const LINES = Array.from({ length: 30 }, (_, at) => {
  if (at === 8) return '=1+1;b@x.example;111';
  if (at === 20) return '\u202eturned;b@x.example;';
  return `${PEOPLE[at] ?? `<b>P${at}</b> אבג`};p${at}@sandbox.example;`;
});

describeInChromium('templates of the console, in Chromium', () => {
  let browser: Browser;
  let engine: SharedEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
  }, 120_000);
  afterAll(() => browser?.close());

  test.each([
    ['en', 1280],
    ['pt-BR', 360],
  ] as const)(
    'in %s at %i px one is made, placed, saved, and used for one document and for many people',
    async (locale, width) => {
      const words = WORDS[locale];
      const page = await openPageAt(browser, engine.url, { locale, viewport: { width, height: 800 } });
      const seen = watch(page, engine.url);
      const look = async (name: string) => {
        expect([name, await barriers(page)]).toEqual([name, []]);
        expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
        await takePicture(page, `console-${name}-${locale}`);
      };
      const file = {
        name: 'locacao.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from((await pdf()).bytes),
      };
      await click(page.getByRole('button', { name: words.open }));
      await click(page.getByRole('navigation').getByRole('link', { name: words.title, exact: true }));
      await look('templates');
      await click(page.getByRole('button', { name: words.create }));
      await page.getByLabel(words.name).fill('Locação');
      await page.locator('[name=personPart]').first().fill('Inquilino');
      await page.locator('#chosen').setInputFiles(file);
      await page.locator('#files').waitFor();
      await look('template-edit');
      await click(page.getByRole('button', { name: words.marks }));
      await page.locator('.reader-page canvas').first().waitFor();
      await page.getByRole('button', { name: words.signature, exact: true }).click();
      await page.getByText(words.saved).waitFor();
      await look('template-marks');
      await click(page.getByRole('link', { name: words.back }));
      await click(page.getByRole('button', { name: words.save }));
      await page.getByText(words.stored).waitFor();
      await look('template');
      const template = page.url().replace(/\?.*/, '');

      await page.getByLabel('Inquilino', { exact: true }).fill('Ana Prado');
      await click(page.getByRole('button', { name: words.next }));
      expect(await page.locator('[name=personName]').first().inputValue()).toBe('Ana Prado');

      await page.goto(template);
      await click(page.getByRole('button', { name: words.many }));
      await page.locator('#chosen').setInputFiles([file, sheetOf(LINES)]);
      await page.locator('#preview').waitFor();
      await look('template-table');
      await click(page.getByRole('button', { name: words.start }));
      await page.getByText(words.ended).waitFor({ timeout: 60_000 });
      await look('template-progress');
      expect(await downloaded(page, words.download)).toMatch(
        /^\ufeffline;columns;reason;code\r\n10;Inquilino CPF;.*\r\n22;Inquilino;.*\r\n$/,
      );
      expect(seen).toEqual({ outside: [], errors: [] });
      await page.context().close();
    },
    180_000,
  );

  const sheetOf = (lines: readonly string[]) => ({
    name: 'pessoas.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Inquilino;Inquilino e-mail;Inquilino CPF', ...lines, ''].join('\n')),
  });

  async function downloaded(page: Page, name: string): Promise<string> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name }).click(),
    ]);
    return readFileSync((await download.path()) ?? '', 'utf8');
  }
});

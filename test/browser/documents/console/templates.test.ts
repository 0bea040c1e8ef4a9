import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type SharedEngine, sharedEngine } from '../../../servers/shared-engine.ts';
import { barriersInBothSchemes } from '../../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, watch } from '../../chromium.ts';
import { look, PHONE_IN_PORTUGUESE } from '../../look.ts';
import { pdf } from '../action-page/files.ts';

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

  test('one is made, placed, saved, and used for one document and for many people', async () => {
    const page = await openPageAt(browser, engine.url, PHONE_IN_PORTUGUESE);
    const seen = watch(page, engine.url);
    const file = {
      name: 'locacao.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from((await pdf()).bytes),
    };
    await click(page.getByRole('button', { name: 'Abrir o painel' }));
    await click(page.getByRole('navigation').getByRole('link', { name: 'Modelos', exact: true }));
    await look(page, 'console-templates');
    await click(page.getByRole('button', { name: 'Novo modelo' }));
    await page.getByLabel('Nome do modelo').fill('Locação');
    await page.locator('[name=personPart]').first().fill('Inquilino');
    await page.locator('#chosen').setInputFiles(file);
    await page.locator('#files').waitFor();
    await look(page, 'console-template-edit');
    await click(page.getByRole('button', { name: 'Posicionar as marcas' }));
    await page.locator('.reader-page canvas').first().waitFor();
    await page.getByRole('button', { name: 'Assinatura: {{Inquilino}}', exact: true }).click();
    await page.getByText('As marcas estão salvas.').waitFor();
    await click(page.getByRole('link', { name: 'Voltar ao rascunho' }));
    await click(page.getByRole('button', { name: 'Salvar o modelo' }));
    await page.getByText('O modelo está salvo.').waitFor();
    await look(page, 'console-template');
    const template = page.url().replace(/\?.*/, '');

    await page.getByLabel('Inquilino', { exact: true }).fill('Ana Prado');
    await click(page.getByRole('button', { name: 'Continuar' }));
    expect(await page.locator('[name=personName]').first().inputValue()).toBe('Ana Prado');

    await page.goto(template);
    await click(page.getByRole('button', { name: 'Usar uma planilha' }));
    await page.locator('#chosen').setInputFiles([file, sheetOf(LINES)]);
    await page.locator('#preview').waitFor();
    await look(page, 'console-template-table');
    await click(page.getByRole('button', { name: 'Enviar 30 documentos' }));
    await page.getByText('Pronto, com linhas recusadas').waitFor({ timeout: 60_000 });
    await look(page, 'console-template-progress', barriersInBothSchemes);
    expect(await downloaded(page, 'Baixar todas as linhas recusadas')).toMatch(
      /^\ufeffline;columns;reason;code\r\n10;Inquilino CPF;.*\r\n22;Inquilino;.*\r\n$/,
    );
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  }, 180_000);

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

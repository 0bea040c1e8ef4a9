import { describe, expect, test } from 'vitest';
import { type Letter, renderLetter } from '../../../shared/mail/letter.ts';
import { letterColors } from '../../../shared/mail/letter-style.ts';
import { senderOf, senderRule } from '../../../shared/mail/settings.ts';

const letter: Letter = {
  to: { name: 'Ana', address: 'ana@sandbox.example' },
  branding: { displayName: 'ACME <b>', logoUrl: 'https://acme.example/logo.png', color: '#ffcc00' },
  topic: 'Contract',
  parts: {
    en: {
      title: 'Sign',
      paragraphs: ['Please read it.'],
      facts: [['File', 'a.pdf']],
      button: 'Open',
      notes: ['Yours.'],
    },
    'pt-BR': {
      title: 'Assinar',
      paragraphs: ['Leia, por favor.'],
      facts: [['Arquivo', 'a.pdf']],
      button: 'Abrir',
      notes: ['Só seu.'],
    },
  },
  url: 'https://sign.example/document/1?ticket=abc',
};

describe('a letter', () => {
  test('has one button, to the very thing, in both languages', async () => {
    const { subject, html } = await renderLetter(letter);
    expect(subject).toBe('Assinar / Sign: Contract');
    const links = [...String(html).matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
    expect(links.map(([, href, label]) => [href, label])).toEqual([[letter.url, 'Abrir / Open']]);
    for (const words of ['Leia, por favor.', 'Please read it.', 'Só seu.', 'Yours.'])
      expect(html).toContain(words);
    expect(html).toContain('width=device-width');
  });

  test('says the same in plain text, with the address in each language', async () => {
    const { text } = await renderLetter(letter);
    const [portuguese = '', english = ''] = String(text).split('\n\n----\n\n');
    expect(portuguese).toMatch(
      /^ACME <b>\n\nOlá, Ana\.\n\nLeia, por favor\.\n\nArquivo: a\.pdf\n\nAbrir: https/,
    );
    expect(english).toContain(`Open: ${letter.url}`);
  });

  test('shows who it comes from by name and logo, and escapes what others wrote', async () => {
    const { html } = await renderLetter({ ...letter, to: { ...letter.to, name: '<i>Ana' } });
    expect(html).toContain('src="https://acme.example/logo.png"');
    expect(html).toContain('ACME &lt;b&gt;');
    expect(html).not.toContain('<i>');
    const without = await renderLetter({
      ...letter,
      branding: { displayName: 'ACME', logoUrl: null, color: null },
      url: undefined,
    });
    expect(without.html).not.toMatch(/<img|<a /);
  });

  test('has a button whose words can be read on its color', () => {
    expect(letterColors('#ffcc00')).toEqual({ background: '#ffcc00', text: '#000000' });
    expect(letterColors('#003366')).toEqual({ background: '#003366', text: '#ffffff' });
    for (const wrong of [null, 'red', '#fff', '#12345g;background:url(x)'])
      expect(letterColors(wrong).background).toBe('#1f4f82');
  });
});

describe('the address that mail comes from', () => {
  test.each([
    ['ACME Ltda <no-reply@acme.example>', 'ACME Ltda', 'acme.example'],
    ['no-reply@acme.example', 'Sinete', 'acme.example'],
  ])('%s gives the name and the domain', (from, name, domain) => {
    expect(senderOf(from)).toEqual({ name, domain });
  });

  test('is required with a server, and is an address', () => {
    const values = {
      'Mail:Smtp:Server': { host: 'mail.example', port: 587, secure: false },
      ...{ 'Mail:Smtp:User': '', 'Mail:Smtp:Password': '' },
    };
    expect(senderRule({ ...values, 'Mail:Smtp:From': 'acme' })).toContain('Mail:Smtp:From');
    expect(senderRule({ ...values, 'Mail:Smtp:From': 'a@b.example' })).toBeUndefined();
    expect(senderRule({ ...values, 'Mail:Smtp:Server': undefined, 'Mail:Smtp:From': '' })).toBeUndefined();
  });
});

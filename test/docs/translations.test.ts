import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differencesOf, originalOf } from './differences.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

const TRANSLATIONS = globSync(['*.pt-BR.md', 'docs/pt-BR/*.md', 'examples/*/*.pt-BR.md']).toSorted();

test('every translation has an original', () => {
  expect(TRANSLATIONS.length).toBeGreaterThan(0);
  expect(TRANSLATIONS.filter((file) => !existsSync(originalOf(file)))).toEqual([]);
});

// Links that lead nowhere are found by test/house/links.test.ts.
test.each(TRANSLATIONS)(
  '%s has the headings, code, tables, pictures, links and numbers of its original',
  (file) => {
    const original = originalOf(file);
    expect(
      differencesOf({ file: original, markdown: read(original) }, { file, markdown: read(file) }),
    ).toEqual([]);
  },
);

// The two files of an example are beside each other.
test.each(TRANSLATIONS.filter((file) => !file.startsWith('examples/')))(
  '%s and its original lead to each other below their titles',
  (file) => {
    const original = originalOf(file);
    const linkOf = (from: string): string => read(from).split('\n')[2] ?? '';
    expect(linkOf(original)).toBe(`[Português](${relative(dirname(original), file)})`);
    expect(linkOf(file)).toBe(`[English](${relative(dirname(file), original)})`);
  },
);

describe('a page that differs from its original says where', () => {
  const ORIGINAL = `# Mail

Up to 1,500 letters a day: see [limits](limits.md) and [retention](operations.md#retention).

![A letter](images/letter.png)

## Settings

| Setting     | What it means |
| ----------- | ------------- |
| \`Mail:From\` | the sender    |

\`\`\`sh
# Try it
npm start    # in a terminal
\`\`\`
`;
  const TRANSLATION = `# E-mail

Até 1.500 mensagens por dia: veja [limites](../limits.md) e [retenção](../operations.md#retention).

![Uma mensagem](../images/letter.png)

## Configurações

| Configuração | O que significa |
| ------------ | --------------- |
| \`Mail:From\`  | o remetente     |

\`\`\`sh
# Experimente
npm start    # em um terminal
\`\`\`
`;
  const compare = (markdown: string) =>
    differencesOf({ file: 'docs/mail.md', markdown: ORIGINAL }, { file: 'docs/pt-BR/mail.md', markdown });
  const top = 'docs/pt-BR/mail.md:1 # E-mail';
  const settings = 'docs/pt-BR/mail.md:7 ## Configurações';

  test('and one that does not says nothing', () => {
    expect(compare(TRANSLATION)).toEqual([]);
  });

  test.each([
    [
      'a heading',
      '## Conf',
      '### Conf',
      'docs/pt-BR/mail.md:7 ### Configurações stands where docs/mail.md:7 ## Settings does',
    ],
    [
      'a heading more',
      /$/,
      '\n## Fim\n',
      'docs/pt-BR/mail.md:18 ## Fim stands where the end of docs/mail.md does',
    ],
    [
      'a command',
      'npm start',
      'npm test',
      'code block: docs/pt-BR/mail.md:15 npm test #, and docs/mail.md:15 npm start #',
    ],
    [
      'a row',
      /\| `Mail:From.*\n/,
      '',
      'table: docs/pt-BR/mail.md:11 ends, and docs/mail.md:11 `Mail:From` | text',
    ],
    ['a setting in a row', 'Mail:From', 'Mail:To', `${settings} lacks the name Mail:From`],
    [
      'an emptied cell',
      'o remetente',
      '',
      'table: docs/pt-BR/mail.md:11 `Mail:From` | empty, and docs/mail.md:11 `Mail:From` | text',
    ],
    [
      'a block',
      /```[\s\S]*```/,
      '',
      `${settings} has table, and docs/mail.md:7 ## Settings has table, code block`,
    ],
    ['a picture', 'letter.png', 'other.png', `${top} lacks the picture docs/images/letter.png`],
    ['a link', '../limits.md', '../mail.md', `${top} lacks the link to docs/limits.md`],
    ['an anchor', '#retention', '#headers', `${top} adds the link to docs/operations.md#headers`],
    ['a number', '1.500', '1.600', `${top} lacks the number 1500`],
  ])('%s', (_, from, to, sentence) => {
    expect(compare(TRANSLATION.replace(from, to))).toContain(sentence);
  });

  test('a link to an English page that has a translation', () => {
    expect(compare(TRANSLATION.replace('../limits.md', '../batch.md'))).toContain(
      `${top} links to ../batch.md, which has a translation`,
    );
  });
});

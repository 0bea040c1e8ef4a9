import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sentences as credentials } from '../../../functions/credentials/items/sentences.ts';
import { GeneratedDocument } from '../../../functions/documents/contract/generation.ts';
import { readPeople } from '../../../functions/documents/http/read-people.ts';
import { sentences as documents } from '../../../functions/documents/sentences/sentences.ts';
import { fieldProblemsOf } from '../../../shared/http/validate.ts';

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();

/** The words of a contract's own rules: the messages of its checks. */
const rulesIn = (files: readonly string[]): string[] =>
  files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/(?:message: |, |^\s+)'((?:is|has|must be|names) [^']+)'[,)]/gm),
    ].map(([, rule = '']) => rule),
  );

describe.each([
  [
    'documents',
    documents,
    ['fields', 'create-document', 'generation', 'marks', 'flows/*'].map(
      (name) => `functions/documents/contract/${name}.ts`,
    ),
  ],
  [
    'credentials',
    credentials,
    ['functions/credentials/items/shapes.ts', 'functions/credentials/degrees/contract.ts'],
  ],
] as const)('the sentences of %s', (_, { rows, isKnown }, contracts) => {
  test('have the same values in every language', () => {
    for (const [code, { en, 'pt-BR': pt }] of Object.entries(rows))
      expect([code, namesIn(pt)]).toEqual([code, namesIn(en)]);
  });

  test('have every rule that a line can break, so that no page says it in English alone', () => {
    const rules = rulesIn(contracts.flatMap((pattern) => globSync(pattern)));
    expect(rules.length).toBeGreaterThan(2);
    expect(rules.filter((code) => !isKnown({ code }))).toEqual([]);
  });
});

test('a broken rule is recorded by its code and its limit, and its English stays that of the contract', () => {
  const line = {
    documentName: 'x'.repeat(256),
    flowActions: [{ type: 'Other', user: { name: '', emailAddress: 'nobody', identifier: '1' } }],
  };
  const { error } = GeneratedDocument.safeParse(line);
  const problems = error ? fieldProblemsOf(error) : [];
  const said = Object.fromEntries(
    problems.map(({ field, rule }) => [field, rule && documents.textIn('pt-BR', rule)]),
  );
  expect(said).toMatchObject({
    documentName: 'tem mais de 255 caracteres',
    'flowActions.0.type': expect.stringMatching(/^não é nenhum destes: .*Signer/),
    'flowActions.0.user.identifier': 'não é um CPF',
    'flowActions.0.user.emailAddress': 'não é um endereço de e-mail',
  });
  expect(() => readPeople({ ...line, documentName: 'x', flowActions: [] })).toThrow(
    expect.objectContaining({
      code: 'InvalidRequest',
      said: { code: 'too-small.list', values: { limit: '1' } },
    }),
  );
});

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpointFiles } from '../../infra/build/function-files.ts';
import { handlerOf } from '../../infra/invoke.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';

const endpoints = async (): Promise<(readonly [string, Endpoint['declaration']])[]> =>
  Promise.all(
    endpointFiles().map(async ({ service, name }) => {
      const { declaration } = (await handlerOf(`${service}/${name}`)) as unknown as Endpoint;
      return [`${service}/${name}`, declaration] as const;
    }),
  );

const answersPage = ({ answers }: Endpoint['declaration']): boolean =>
  Object.values(answers).some((shape) => 'kind' in shape && shape.kind === 'page');

// CSRF is checked where pages are made, and where a cookie may stand for the key of an API.
test('no other source asks whether a request is of another origin', () => {
  const sources = ['agent', 'cli', 'functions', 'infra', 'shared'].map((root) => `${root}/**/*.ts`);
  const asking = globSync(sources).filter((path) =>
    /import [^;]*\bisCrossOrigin\b/.test(readFileSync(path, 'utf8')),
  );
  expect(asking.toSorted()).toEqual([
    'shared/http/authentication/key-or-cookie.ts',
    'shared/http/page-endpoint.ts',
  ]);
});

// The page factory sets `enter`, and takes no rules without a session or an explicit "anybody".
test('a public operation that answers a page is made by the page factory', async () => {
  const pages = (await endpoints()).filter(([, declaration]) => answersPage(declaration));
  expect(pages.length).toBeGreaterThan(25);
  const byHand = pages.filter(([, { access, enter }]) => access === 'public' && enter === undefined);
  expect(byHand.map(([name]) => name)).toEqual([]);
});

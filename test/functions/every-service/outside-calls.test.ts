import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The status texts and the types of node:http open no connection, and neither does a `fetch` that is handed in as the
// guarded one or is a member of something.
const CONNECTION =
  /from '(undici|node:(https|http2|net|tls|dgram))'|import (?!{ STATUS_CODES }|type )[^;]* from 'node:http'/;
const opensOne = (source: string) =>
  CONNECTION.test(source) ||
  (/(?<!\.)\bfetch\s*\(/.test(source) && !/fetch = guardedFetch|fetch: GuardedFetch/.test(source));

// A page's script runs in a browser, whose policy lets it call this host alone; the browser tests hold it to that.
const isInBrowser = (path: string) => path.includes('/browser/');

// The guarded connector, and the one to a mail server, which resolves and checks its name in the same way.
const mayConnect = (path: string) => path.startsWith('shared/net/') || path === 'shared/mail/smtp.ts';

test('nothing but the AWS SDK and the guarded connectors opens a connection', () => {
  const sources = globSync(['functions/**/*.ts', 'shared/**/*.ts']);
  const opening = sources.filter((path) => opensOne(readFileSync(path, 'utf8')));
  expect(sources.length).toBeGreaterThan(100);
  expect(opening.filter((path) => !mayConnect(path) && !isInBrowser(path))).toEqual([]);
});

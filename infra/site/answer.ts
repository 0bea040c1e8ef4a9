import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Answer, file, redirect } from '../../shared/http/response/answer.ts';
import { commonSettings } from '../../shared/settings/common.ts';
import { DOCS_PATH } from '../../shared/settings/docs.ts';
import { languageFor } from '../../shared/ui/languages.ts';
import { assetOf } from './assets.ts';
import type { Visit } from './layout.ts';
import { openLibrary } from './library.ts';
import { contentsPage, documentPage, missingPage, searchPage, sourcePage } from './pages.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export type SiteAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_AN_HOUR = 'public, max-age=3600';
const IMAGE = /^images\/([\w-]+\.png)$/;

/**
 * Answers a GET of the documentation, and nothing where the path is another's. The path is as it came, percent-encoded.
 * @example await answerDocs('/docs/webhooks', new URLSearchParams('lang=en'), 'pt-BR') // { status: 200, headers, body }
 */
export async function answerDocs(
  path: string,
  query: URLSearchParams,
  acceptLanguage: string | undefined,
): Promise<SiteAnswer | undefined> {
  if (path !== DOCS_PATH && !path.startsWith(`${DOCS_PATH}/`)) return undefined;
  const lang = query.get('lang') ?? undefined;
  const language = languageFor({ lang, acceptLanguage });
  const visit: Visit = {
    library: openLibrary(ROOT),
    language,
    base: new URL(commonSettings['Http:PublicUrl']).pathname.replace(/\/$/, '') + DOCS_PATH,
    suffix: lang === undefined ? '' : `?lang=${language}`,
  };
  const answer = await find(visit, path.slice(DOCS_PATH.length + 1).replace(/\/$/, ''), query);
  return plain(answer);
}

async function find(visit: Visit, place: string, query: URLSearchParams): Promise<Answer> {
  const { library, language, base, suffix } = visit;
  if (place === '') return contentsPage(visit);
  if (place === 'search') return searchPage(visit, query.get('q') ?? '');
  const asset = place.startsWith('assets/') ? assetOf(place.slice('assets/'.length)) : undefined;
  if (asset) return file(Buffer.from(asset.text), asset.type, { headers: { 'cache-control': FOR_EVER } });
  const [, image] = IMAGE.exec(place) ?? [];
  if (image) return (await imageAnswer(image)) ?? missingPage(visit);
  // Path traversal: a file is shown by its exact name in the list of those that pages link to.
  const source = place.startsWith('source/') ? place.slice('source/'.length) : undefined;
  if (source !== undefined)
    return library.sources.has(source) ? sourcePage(visit, ROOT, source) : missingPage(visit);
  const page = library.page(place, language);
  if (page) return documentPage(visit, page);
  // As the file is called in the repository.
  const id = place.toLowerCase().replace(/\.md$/, '');
  return library.page(id, language) ? redirect(`${base}/${id}${suffix}`) : missingPage(visit);
}

async function imageAnswer(name: string): Promise<Answer | undefined> {
  const bytes = await readFile(join(ROOT, 'docs/images', name)).catch(() => undefined);
  return bytes && file(bytes, 'image/png', { headers: { 'cache-control': FOR_AN_HOUR } });
}

function plain({ status, headers, body }: Answer): SiteAnswer {
  const bytes =
    body.kind === 'text'
      ? Buffer.from(body.text)
      : body.kind === 'bytes' && body.bytes instanceof Uint8Array
        ? Buffer.from(body.bytes)
        : Buffer.of();
  return {
    status,
    headers: { 'x-correlation-id': randomUUID(), 'x-content-type-options': 'nosniff', ...headers },
    body: bytes,
  };
}

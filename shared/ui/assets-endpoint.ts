import * as z from 'zod';
import { Problem } from '../errors/errors.ts';
import { builtFilesOf } from '../http/built-files.ts';
import { fileOf } from '../http/declaration.ts';
import type { Endpoint, Service } from '../http/endpoint.ts';
import { accepts } from '../http/request/accepts.ts';
import { file } from '../http/response/answer.ts';
import { compressedFile } from '../http/response/compressed-file.ts';

const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  // Fonts and character maps of pdf.js.
  ttf: 'font/ttf',
  pfb: 'application/octet-stream',
  bcmap: 'application/octet-stream',
} as const;
const NAME = /^[\w-]+\.(js|css|ttf|pfb|bcmap)$/;

const HEADERS = {
  // A name contains the hash of the content, so a browser caches it forever. Pages of other sites load embed.js as a module.
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
  // A worker is under the policy of its own script, not of the page: it may load scripts of this host, and no more.
  'content-security-policy': "default-src 'none'; script-src 'self'",
  'access-control-allow-origin': '*',
};

/**
 * Serves the scripts and styles of pages. The build writes them compressed into the service's folder.
 * @example export const handler = assetsEndpoint(documents);
 */
export const assetsEndpoint = (service: Service, folder = builtFilesOf(service)): Endpoint =>
  service.endpoint(
    {
      route: 'GET /assets/{name}',
      summary: 'Scripts and styles of pages',
      params: z.object({ name: z.string() }),
      answers: { 200: fileOf(...new Set(Object.values(TYPES))) },
      access: 'public',
      undocumented: true,
    },
    async ({ params: { name }, path, headers }) => {
      const [, extension] = NAME.exec(name) ?? [];
      const asGzip = accepts(headers['accept-encoding'], 'gzip');
      const asset = extension && (await compressedFile(new URL(`assets/${name}.gz`, folder), asGzip));
      if (!asset) throw new Problem('noRoute', { method: 'GET', path });
      const type = TYPES[extension as keyof typeof TYPES];
      return file(asset, type, { headers: { ...HEADERS, ...(asGzip && { 'content-encoding': 'gzip' }) } });
    },
  );

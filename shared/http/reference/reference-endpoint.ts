import { SEAL_ICON } from '../../brand/icon.ts';
import { Problem } from '../../errors/errors.ts';
import { commonSettings } from '../../settings/common.ts';
import { sandboxAccess } from '../../settings/sandbox.ts';
import { builtFilesOf } from '../built-files.ts';
import { PAGE, REDIRECT } from '../declaration.ts';
import type { Endpoint, Service } from '../endpoint.ts';
import { pageEndpoint } from '../page-endpoint.ts';
import { accepts } from '../request/accepts.ts';
import { file, html, redirect } from '../response/answer.ts';
import { compressedFile } from '../response/compressed-file.ts';

type Options = {
  /** Where the build puts the viewer's script, compressed. */
  readonly folder?: URL;
  /** Whether the reference is served at all. */
  readonly enabled?: () => boolean;
  /** Whether the base URL leads to it. A service with a page of its own there says no. */
  readonly isAtBase?: boolean;
};

// The viewer's script changes only with a new build.
const CACHED = { 'cache-control': 'public, max-age=3600' };

/**
 * A browsable reference at `/scalar/v1`, to which the service's base URL redirects where it has no page. Everything is served from here: no
 * other host is asked for anything.
 * @example export const handler = referenceEndpoint(session);
 */
export function referenceEndpoint(
  service: Service,
  { folder = builtFilesOf(service), enabled = () => true, isAtBase = true }: Options = {},
): Endpoint {
  return pageEndpoint(service, { language: () => 'en', visitors: 'anybody' })(
    {
      route: 'GET /scalar/{path+}',
      aliases: [...(isAtBase ? (['GET /'] as const) : []), 'GET /scalar'],
      summary: 'The browsable reference',
      answers: { 200: PAGE, 302: REDIRECT },
    },
    async ({ params, path, headers }) => {
      if (!enabled()) throw new Problem('noRoute', { method: 'GET', path });
      switch (params.path ?? '') {
        case '':
          return redirect(`${commonSettings['Http:PublicUrl']}${service.basePath}/scalar/v1`);
        case 'v1':
          return html(page(service.title), { headers: { 'content-security-policy': POLICY } });
        case 'v1/start.js':
          return file(Buffer.from(startScript(sandboxAccess().key)), 'text/javascript; charset=utf-8', {
            headers: CACHED,
          });
        case 'v1/viewer.js':
          return viewer(folder, accepts(headers['accept-encoding'], 'gzip'));
        default:
          throw new Problem('noRoute', { method: 'GET', path });
      }
    },
  );
}

async function viewer(folder: URL, asGzip: boolean) {
  const script = await compressedFile(new URL('scalar.js.gz', folder), asGzip);
  if (!script) throw new Error(`The build has not written the viewer into ${folder}.`);
  return file(script, 'text/javascript; charset=utf-8', {
    headers: { ...CACHED, vary: 'accept-encoding', ...(asGzip && { 'content-encoding': 'gzip' }) },
  });
}

/** Scripts from here only. The viewer sets styles from script, which is what 'unsafe-inline' is for. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page's addresses are relative, so that it works under any stage prefix. */
const page = (title: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}: reference</title>
<link rel="icon" href="${SEAL_ICON}">
<body>
<div id="reference"></div>
<script src="v1/viewer.js"></script>
<script src="v1/start.js"></script>
</html>
`;

/**
 * A file of its own, because the policy allows no inline script. Every way out to another host is closed.
 * A key is filled in for whoever opens the page: give one only where everybody may know it.
 */
const startScript = (key?: string): string => `Scalar.createApiReference('#reference', {
  url: new URL('../openapi/v1.json', location.href).href,
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultOpenAllTags: true,${key === undefined ? '' : prefilled(key)}
});
`;

// By the name that the contract document gives the scheme.
const prefilled = (key: string): string => `
  authentication: {
    preferredSecurityScheme: 'key',
    securitySchemes: { key: { value: ${JSON.stringify(key)} } },
  },`;

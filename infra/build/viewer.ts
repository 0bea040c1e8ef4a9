import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const MODULES = resolve(import.meta.dirname, '../../node_modules');

/** The viewer of the API reference with all that it needs in one script. Of its packages this is the one without 260 others. */
const PACKAGE = '@scalar/fastify-api-reference';

/** Where only run-time dependencies are installed, as on a host that builds for itself: the page leads to the document. */
const NO_VIEWER = gzipSync("location.replace(new URL('../openapi/v1.json', location.href));");

let compressing: Promise<Buffer> | undefined;

/**
 * The script of the API reference, compressed once: 4 MB that no function should compress at run time.
 * @example await writeFile('scalar.js.gz', await compressedViewer())
 */
export function compressedViewer(): Promise<Buffer> {
  compressing ??= existsSync(join(MODULES, PACKAGE)) ? compress() : Promise.resolve(NO_VIEWER);
  return compressing;
}

async function compress(): Promise<Buffer> {
  const { version } = JSON.parse(await readFile(join(MODULES, PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  const kept = join(MODULES, '.cache/sinete', `scalar-${version}.js.gz`);
  if (existsSync(kept)) return readFile(kept);

  const compressed = gzipSync(await viewerScript(), { level: 9 });
  await mkdir(dirname(kept), { recursive: true });
  // Renamed into place, so that a build running beside this one never reads half of it.
  const making = `${kept}.${process.pid}`;
  await writeFile(making, compressed);
  await rename(making, kept);
  return compressed;
}

type PluginRoute = {
  readonly url: string;
  readonly handler: (request: object, reply: object) => unknown;
};

/** The package is a plugin of a web server, and gives the script to whoever asks its route for it. */
async function viewerScript(): Promise<string> {
  const { default: plugin } = await import(PACKAGE);
  const routes: PluginRoute[] = [];
  const server = { hasPlugin: () => false, route: (route: PluginRoute) => routes.push(route) };
  plugin(server, { configuration: { url: '/openapi.json' } }, () => undefined);
  const found = routes.find(({ url }) => url.endsWith('.js'));
  const sent: string[] = [];
  const reply = { header: () => reply, send: (body: string) => sent.push(body) };
  await found?.handler({}, reply);
  if (sent[0] === undefined) throw new Error(`${PACKAGE} has no route for its script.`);
  return sent[0];
}

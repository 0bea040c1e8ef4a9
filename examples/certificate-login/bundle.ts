import { build } from 'esbuild';

/** Bundles the page's script for browsers, by path. Code for old files is a chunk that is loaded when needed. */
export async function bundlePage(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: [new URL('./browser/page.ts', import.meta.url).pathname],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    outdir: '/',
    write: false,
    logLevel: 'error',
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

import { build } from 'esbuild';

/** The page's script as a browser takes it, by its path. What old files need is a chunk that is loaded when one comes. */
export async function bundlePage() {
  const { outputFiles } = await build({
    entryPoints: [new URL('./page.mjs', import.meta.url).pathname],
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

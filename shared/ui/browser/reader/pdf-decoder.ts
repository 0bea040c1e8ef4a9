// pdf.js decodes JPEG 2000 and JBIG2 by WebAssembly, which our policy does not allow, or by these scripts. Its worker
// imports them by a base address and a name; the base that it is given ends in `?/`, so that this file is what it loads.
const name = new URL(import.meta.url).search;

const { default: instantiate } = name.endsWith('jbig2_nowasm_fallback.js')
  ? await import('pdfjs-dist/wasm/jbig2_nowasm_fallback.js')
  : await import('pdfjs-dist/wasm/openjpeg_nowasm_fallback.js');

// biome-ignore lint/style/noDefaultExport: pdf.js imports the default.
export { instantiate as default };

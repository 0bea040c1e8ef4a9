// Parts of pdf.js that come without types.
declare module 'pdfjs-dist/wasm/*';

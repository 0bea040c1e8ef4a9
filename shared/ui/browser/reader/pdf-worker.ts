// The worker of pdf.js, as an asset of this host.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';

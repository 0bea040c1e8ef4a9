/**
 * The name by which a data file of pdf.js is served. It has the version, so that caches may keep it for ever.
 * @example pdfDataName('6.5.438', 'cmaps/UniJIS-UCS2-H.bcmap') // 'pdfjs-6-5-438-UniJIS-UCS2-H.bcmap'
 */
export const pdfDataName = (version: string, path: string): string =>
  `pdfjs-${version.replaceAll('.', '-')}-${path.slice(path.lastIndexOf('/') + 1)}`;

/** Error codes of every inspection. */
export const INSPECTION_CODES = [
  'OptionNotSupported',
  'SecurityContextNotFound',
  'EmptyDocument',
  'InvalidToken',
  'FileDownloadFailed',
  'BadDigest',
  'ProtectedPdfError',
  'InvalidPdf',
  'InvalidXml',
  'InvalidCades',
] as const;

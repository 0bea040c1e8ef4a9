// Apart from the parser, so that contracts import these names without it.

/** The types of certificates that ICP-Brasil issues: for signing, for confidentiality, for timestamps (DOC-ICP-04). */
export const CERTIFICATE_TYPES = ['A1', 'A2', 'A3', 'A4', 'S1', 'S2', 'S3', 'S4', 'T3', 'T4'] as const;

export const ICP_BRASIL_TYPES = ['Unknown', ...CERTIFICATE_TYPES] as const;
export type IcpBrasilType = (typeof ICP_BRASIL_TYPES)[number];

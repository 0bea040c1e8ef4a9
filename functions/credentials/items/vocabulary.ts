// The words of the contract that the domain uses as well.

export const TRANSCRIPT_TYPES = ['Partial', 'Final', 'SecondCopyBornPhysical'] as const;
export const INSPECTION_TYPES = ['Issuer', 'Registrar'] as const;

/** What the signed file of a restamp belongs to: every kind of item that is signed, by the beginning of its events. */
export const RESTAMPED_TYPES = [
  'Degree',
  'Emission',
  'Registration',
  'AcademicTranscript',
  'Curriculum',
  'CancellationList',
  'InspectionFile',
] as const;

/**
 * A timestamp token by itself, in DER (ETSI EN 319 422, annex C). `application/timestamp-reply` is the response of an
 * authority around one.
 */
export const TOKEN_MEDIA_TYPE = 'application/vnd.etsi.timestamp-token';

/** The reasons of an annulment, to the letter as the schema has them (one lacks its tilde there). */
export const CANCELLATION_REASONS = [
  'Erro de Fato',
  'Erro de Direito',
  'Decisão Judicial',
  'Reemissão para Complemento de Informação',
  'Reemissão para Inclusão de Habilitação',
  'Reemissão para Anotaçao de Registro',
] as const;

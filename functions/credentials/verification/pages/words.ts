import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of the page for a code, and of those that answer for it. */
export const lookupWords = translations({
  service: { en: 'Academic credentials', 'pt-BR': 'Documentos acadêmicos' },
  title: { en: 'Verify a degree or transcript', 'pt-BR': 'Verificar um diploma ou histórico' },
  intro: {
    en: 'Type the verification code that is on the document. You see how the institution lists it, and whether its signatures hold.',
    'pt-BR':
      'Digite o código de validação que está no documento. Você vê como ele consta na instituição, e se as assinaturas valem.',
  },
  code: { en: 'Verification code', 'pt-BR': 'Código de validação' },
  codeHint: {
    en: 'Two numbers and a row of digits and letters, as 1234.567.9f86d081884c7d65',
    'pt-BR': 'Dois números e uma sequência de dígitos e letras, como 1234.567.9f86d081884c7d65',
  },
  verify: { en: 'Verify', 'pt-BR': 'Verificar' },
  unknown: { en: 'No document has this code', 'pt-BR': 'Nenhum documento tem este código' },
  unknownHint: {
    en: 'Compare it with the document, character by character, and try again. If it is right, ask the institution that issued the document.',
    'pt-BR':
      'Compare-o com o documento, caractere por caractere, e tente de novo. Se estiver certo, pergunte à instituição que emitiu o documento.',
  },
  tooMany: { en: 'Too many look-ups', 'pt-BR': 'Consultas demais' },
  tooManyHint: {
    en: (seconds: string) =>
      `Codes were looked up from your network too often. Wait ${seconds} seconds and load this page again.`,
    'pt-BR': (seconds: string) =>
      `Houve consultas demais a partir da sua rede. Espere ${seconds} segundos e carregue esta página de novo.`,
  },
  failed: { en: 'The look-up did not work', 'pt-BR': 'A consulta não funcionou' },
  failedHint: {
    en: 'Nothing is wrong with the code or the document. Wait a moment and load this page again.',
    'pt-BR':
      'Não há nada de errado com o código ou o documento. Espere um momento e carregue esta página de novo.',
  },
});

/** The texts of the page of one credential. */
export const credentialWords = translations({
  degree: { en: 'Degree', 'pt-BR': 'Diploma' },
  transcript: { en: 'Academic transcript', 'pt-BR': 'Histórico escolar' },

  valid: { en: 'Valid', 'pt-BR': 'Válido' },
  validText: {
    en: 'The institution lists it as valid, and its signatures hold.',
    'pt-BR': 'Consta como válido na instituição, e as assinaturas valem.',
  },
  unconfirmed: {
    en: 'Listed as valid, not confirmed by its signatures',
    'pt-BR': 'Consta como válido, sem a confirmação das assinaturas',
  },
  unconfirmedText: {
    en: 'The institution lists it as valid, but its signatures could not be checked or judged now. Load this page again later.',
    'pt-BR':
      'Consta como válido na instituição, mas as assinaturas não puderam ser conferidas ou avaliadas agora. Carregue esta página de novo mais tarde.',
  },
  unreliable: { en: 'Do not rely on this document', 'pt-BR': 'Não confie neste documento' },
  unreliableText: {
    en: 'The institution lists it as valid, but a signature does not hold. Ask the institution.',
    'pt-BR': 'Consta como válido na instituição, mas uma assinatura não vale. Pergunte à instituição.',
  },
  waiting: { en: 'Waiting for signatures', 'pt-BR': 'Aguardando assinaturas' },
  waitingText: {
    en: 'It is not valid yet: not everybody who must sign it has done so.',
    'pt-BR': 'Ainda não é válido: nem todas as pessoas que devem assinar assinaram.',
  },
  suspended: { en: 'Suspended', 'pt-BR': 'Suspenso' },
  suspendedText: {
    en: 'The institution has suspended it. It is not valid until the institution restores it.',
    'pt-BR': 'A instituição o suspendeu. Não é válido até que a instituição o restabeleça.',
  },
  annulled: { en: 'Annulled', 'pt-BR': 'Anulado' },
  annulledText: {
    en: 'The institution has annulled it. It is not valid, and will not be again.',
    'pt-BR': 'A instituição o anulou. Não é válido e não voltará a ser.',
  },
  reason: { en: 'Reason', 'pt-BR': 'Justificativa' },
  cancellationReason: { en: 'Ground of annulment', 'pt-BR': 'Motivo da anulação' },

  about: { en: 'The document', 'pt-BR': 'O documento' },
  student: { en: 'Name', 'pt-BR': 'Nome' },
  course: { en: 'Course', 'pt-BR': 'Curso' },
  type: { en: 'Type', 'pt-BR': 'Tipo' },
  Partial: { en: 'Partial', 'pt-BR': 'Parcial' },
  Final: { en: 'Final', 'pt-BR': 'Final' },
  SecondCopyBornPhysical: {
    en: 'Second copy of one on paper',
    'pt-BR': 'Segunda via de documento nato-físico',
  },
  issuer: { en: 'Issued by', 'pt-BR': 'Emitido por' },
  registrar: { en: 'Registered by', 'pt-BR': 'Registrado por' },
  created: { en: 'Created', 'pt-BR': 'Criado em' },
  concluded: { en: 'Concluded', 'pt-BR': 'Concluído em' },
  changed: { en: 'Last change', 'pt-BR': 'Última alteração' },
  code: { en: 'Verification code', 'pt-BR': 'Código de validação' },

  signatures: { en: 'Signatures', 'pt-BR': 'Assinaturas' },
  diploma: { en: 'Degree', 'pt-BR': 'Diploma' },
  'academic-documentation': {
    en: 'Academic documentation for the registration',
    'pt-BR': 'Documentação acadêmica para o registro',
  },
  fileValid: { en: 'Signatures valid', 'pt-BR': 'Assinaturas válidas' },
  fileInvalid: { en: 'Signatures not valid', 'pt-BR': 'Assinaturas não válidas' },
  fileUndetermined: { en: 'Signatures not judged', 'pt-BR': 'Assinaturas não avaliadas' },
  fileUnchecked: { en: 'Signatures not checked', 'pt-BR': 'Assinaturas não conferidas' },
  fileUnsigned: { en: 'Not signed yet', 'pt-BR': 'Ainda não assinado' },
  uncheckedText: {
    en: 'The signatures could not be checked now. Load this page again later.',
    'pt-BR': 'As assinaturas não puderam ser conferidas agora. Carregue esta página de novo mais tarde.',
  },
  signatureValid: { en: 'Valid signature', 'pt-BR': 'Assinatura válida' },
  signatureInvalid: { en: 'Signature not valid', 'pt-BR': 'Assinatura não válida' },
  signatureUndetermined: {
    en: 'Signature could not be judged',
    'pt-BR': 'Assinatura não pôde ser avaliada',
  },
  unnamed: { en: 'A signer without a certificate', 'pt-BR': 'Signatário sem certificado' },
  provenTime: {
    en: 'Signed, as a timestamp proves,',
    'pt-BR': 'Assinado, como prova um carimbo do tempo, em',
  },
  claimedTime: { en: 'Signed, as the signer says,', 'pt-BR': 'Assinado, segundo o signatário, em' },

  previewText: {
    en: 'How the institution lists the document, and whether its signatures hold.',
    'pt-BR': 'Como o documento consta na instituição, e se as assinaturas valem.',
  },
  checkedAt: { en: 'Checked on', 'pt-BR': 'Conferido em' },
  times: {
    en: 'Times are those of Brasília. Certificates are judged as of the moment at which the signed file was received.',
    'pt-BR':
      'Horários de Brasília. Os certificados são avaliados no momento em que o arquivo assinado foi recebido.',
  },
  another: { en: 'Verify another code', 'pt-BR': 'Verificar outro código' },
});

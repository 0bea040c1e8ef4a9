import { translations } from '../../../../shared/ui/translations.ts';

/** The meaning of each reason of a verdict, for readers of the page. */
export const reasonWords = translations({
  FORMAT_FAILURE: {
    en: 'The signature is not written as its standard says.',
    'pt-BR': 'A assinatura não está escrita como o padrão manda.',
  },
  HASH_FAILURE: {
    en: 'The content is not what was signed.',
    'pt-BR': 'O conteúdo não é o que foi assinado.',
  },
  SIG_CRYPTO_FAILURE: {
    en: 'The signature was not made with the key of this certificate.',
    'pt-BR': 'A assinatura não foi feita com a chave deste certificado.',
  },
  NOT_YET_VALID: {
    en: 'It was signed before the certificate was valid.',
    'pt-BR': 'Foi assinado antes de o certificado ser válido.',
  },
  SIG_CONSTRAINTS_FAILURE: {
    en: 'Something that a signature must have is missing or does not hold.',
    'pt-BR': 'Falta ou não vale algo que uma assinatura precisa ter.',
  },
  CHAIN_CONSTRAINTS_FAILURE: {
    en: 'The certificate is not one for signing, or its authority was not allowed to issue it.',
    'pt-BR': 'O certificado não serve para assinar, ou a autoridade não podia emiti-lo.',
  },
  CERTIFICATE_CHAIN_GENERAL_FAILURE: {
    en: 'The chain of the certificate does not hold.',
    'pt-BR': 'A cadeia do certificado não se sustenta.',
  },
  CRYPTO_CONSTRAINTS_FAILURE: {
    en: 'It uses an algorithm that is too weak, or not supported here.',
    'pt-BR': 'Usa um algoritmo fraco demais, ou que não é suportado aqui.',
  },
  POLICY_PROCESSING_ERROR: {
    en: 'The signature policy is not the one that it names.',
    'pt-BR': 'A política de assinatura não é a que ela nomeia.',
  },
  SIGNATURE_POLICY_NOT_AVAILABLE: {
    en: 'The signature policy is not known here.',
    'pt-BR': 'A política de assinatura não é conhecida aqui.',
  },
  NO_SIGNING_CERTIFICATE_FOUND: {
    en: "The signer's certificate is not in the file.",
    'pt-BR': 'O certificado do signatário não está no arquivo.',
  },
  NO_CERTIFICATE_CHAIN_FOUND: {
    en: 'The certificate leads to no authority that is trusted here.',
    'pt-BR': 'O certificado não leva a nenhuma autoridade em que se confia aqui.',
  },
  REVOKED_NO_POE: {
    en: 'The certificate was revoked, and nothing proves that it was signed before.',
    'pt-BR': 'O certificado foi revogado, e nada prova que foi assinado antes.',
  },
  REVOKED_CA_NO_POE: {
    en: 'The certificate of an authority in the chain was revoked.',
    'pt-BR': 'O certificado de uma autoridade da cadeia foi revogado.',
  },
  OUT_OF_BOUNDS_NO_POE: {
    en: 'The certificate has expired or was not yet valid, and nothing proves that it was signed in its time.',
    'pt-BR': 'O certificado expirou ou ainda não valia, e nada prova que foi assinado dentro do prazo.',
  },
  TRY_LATER: {
    en: 'Whether the certificate was revoked could not be learned. Try again later.',
    'pt-BR': 'Não foi possível saber se o certificado foi revogado. Tente mais tarde.',
  },
  SIGNED_DATA_NOT_FOUND: {
    en: 'The content that was signed is not here.',
    'pt-BR': 'O conteúdo assinado não está aqui.',
  },
  GENERIC: { en: 'There is nothing to judge.', 'pt-BR': 'Não há o que avaliar.' },
});

/** More precise texts, where a reason alone would say too little or mislead. */
export const closerWords = translations({
  changedAfter: {
    en: 'The document was changed after it was signed.',
    'pt-BR': 'O documento foi alterado depois de assinado.',
  },
  rearranged: {
    en: 'The signature does not fit the document: something was moved, doubled, added or left out.',
    'pt-BR': 'A assinatura não condiz com o documento: algo foi movido, repetido, acrescentado ou retirado.',
  },
  unbound: {
    en: 'Nothing that was signed says whose certificate it is: ask for a CAdES or XAdES signature, which does.',
    'pt-BR':
      'Nada do que foi assinado diz de quem é o certificado: peça uma assinatura CAdES ou XAdES, que diz.',
  },
});

/** The status of a certificate. */
export const statusWords = translations({
  ACTIVE: { en: 'Valid', 'pt-BR': 'Válido' },
  EXPIRED: { en: 'Expired', 'pt-BR': 'Expirado' },
  REVOKED: { en: 'Revoked', 'pt-BR': 'Revogado' },
  UNTRUSTED: { en: 'Not trusted here', 'pt-BR': 'Não é de confiança aqui' },
  STALE: { en: 'Revocation not known', 'pt-BR': 'Revogação desconhecida' },
  none: { en: 'Not judged', 'pt-BR': 'Não avaliado' },
});

/** Whether a certificate is of ICP-Brasil. */
export const standingWords = translations({
  verified: {
    en: 'Yes: its chain ends at a trusted root of ICP-Brasil',
    'pt-BR': 'Sim: a cadeia termina em uma raiz confiável da ICP-Brasil',
  },
  claimed: {
    en: 'Not proven: the certificate says so, and no trusted root of ICP-Brasil does',
    'pt-BR': 'Não provado: o certificado diz que sim, mas nenhuma raiz confiável da ICP-Brasil o confirma',
  },
  no: { en: 'No', 'pt-BR': 'Não' },
});

/** The content that a signature covers. */
export const coveredWords = translations({
  file: { en: () => 'The whole file', 'pt-BR': () => 'O arquivo inteiro' },
  revision: {
    en: () => 'The file as it was then',
    'pt-BR': () => 'O arquivo como era naquele momento',
  },
  content: {
    en: (path: string | null) => path ?? 'The content inside it',
    'pt-BR': (path: string | null) => path ?? 'O conteúdo dentro dela',
  },
  document: { en: () => 'The whole document', 'pt-BR': () => 'O documento inteiro' },
  element: {
    en: (path: string | null) => `The element ${path}`,
    'pt-BR': (path: string | null) => `O elemento ${path}`,
  },
  signature: {
    en: (path: string | null) => `The signature ${path}`,
    'pt-BR': (path: string | null) => `A assinatura ${path}`,
  },
  nothing: {
    en: () => 'Nothing that could be confirmed',
    'pt-BR': () => 'Nada que se possa confirmar',
  },
});

/** The changes of a PDF after a signature. */
export const changeWords = translations({
  signature: { en: 'Another signature', 'pt-BR': 'Outra assinatura' },
  'document-timestamp': { en: 'A timestamp', 'pt-BR': 'Um carimbo do tempo' },
  'signature-field': { en: 'A field for a signature', 'pt-BR': 'Um campo de assinatura' },
  'form-filling': { en: 'Form fields were filled in', 'pt-BR': 'Campos de formulário foram preenchidos' },
  annotation: { en: 'Comments', 'pt-BR': 'Comentários' },
  'validation-data': { en: 'Proof of validity', 'pt-BR': 'Provas de validade' },
  metadata: { en: 'Data about the document', 'pt-BR': 'Dados sobre o documento' },
  modification: { en: 'The document was changed', 'pt-BR': 'O documento foi alterado' },
});

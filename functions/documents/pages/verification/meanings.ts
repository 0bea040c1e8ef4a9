import { translations } from '../../../../shared/ui/translations.ts';

/** More precise texts, where a reason alone would say too little or mislead. */
export const closerWords = translations({
  changedAfter: {
    en: 'The document was changed after it was signed.',
    'pt-BR': 'O documento foi alterado depois de assinado.',
  },
  overlaid: {
    en: 'A comment or a field that may hide content or show another was added or changed. Compare the page with the document as it was signed.',
    'pt-BR':
      'Um comentário ou campo que pode esconder conteúdo ou mostrar outro foi acrescentado ou alterado. Compare a página com o documento como foi assinado.',
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
  'covering-signature': {
    en: 'Another signature, shown over content',
    'pt-BR': 'Outra assinatura, mostrada sobre conteúdo',
  },
  'document-timestamp': { en: 'A timestamp', 'pt-BR': 'Um carimbo do tempo' },
  'signature-field': { en: 'A field for a signature', 'pt-BR': 'Um campo de assinatura' },
  'form-filling': { en: 'Form fields were filled in', 'pt-BR': 'Campos de formulário foram preenchidos' },
  annotation: { en: 'Comments', 'pt-BR': 'Comentários' },
  overlay: {
    en: 'A comment or a field that may hide content or show another',
    'pt-BR': 'Um comentário ou campo que pode esconder conteúdo ou mostrar outro',
  },
  'validation-data': { en: 'Proof of validity', 'pt-BR': 'Provas de validade' },
  metadata: { en: 'Data about the document', 'pt-BR': 'Dados sobre o documento' },
  modification: { en: 'The document was changed', 'pt-BR': 'O documento foi alterado' },
});

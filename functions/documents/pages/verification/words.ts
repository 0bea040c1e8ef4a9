import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of the verification page. */
export const verificationWords = translations({
  title: { en: 'Verify signatures', 'pt-BR': 'Verificar assinaturas' },
  intro: {
    en: 'Who signed a file, when, what the signature covers, and whether anything changed after.',
    'pt-BR': 'Quem assinou um arquivo, quando, o que a assinatura cobre, e se algo mudou depois.',
  },
  needsScript: {
    en: 'This page needs JavaScript, which is switched off in this browser.',
    'pt-BR': 'Esta página precisa de JavaScript, que está desligado neste navegador.',
  },
  choose: { en: 'Choose a file', 'pt-BR': 'Escolher um arquivo' },
  drop: { en: 'or drop signed files here', 'pt-BR': 'ou solte aqui arquivos assinados' },
  kinds: {
    en: 'PDF, XML, or CMS (.p7m, .p7s). With a detached .p7s, choose the file that it is over too.',
    'pt-BR': 'PDF, XML ou CMS (.p7m, .p7s). Com um .p7s separado, escolha também o arquivo que ele assina.',
  },
  largest: {
    en: (size: string) => `At most ${size} each.`,
    'pt-BR': (size: string) => `No máximo ${size} cada.`,
  },
  checkedAt: {
    en: (time: string) => `Checked on ${time}`,
    'pt-BR': (time: string) => `Conferido em ${time}`,
  },
  notKept: {
    en: 'Nothing is kept: the file is read to answer you, and forgotten.',
    'pt-BR': 'Nada é guardado: o arquivo é lido para responder a você, e esquecido.',
  },
  readFile: { en: 'Read the document', 'pt-BR': 'Ler o documento' },
  working: { en: (file: string) => `Verifying ${file}…`, 'pt-BR': (file: string) => `Verificando ${file}…` },

  valid: { en: 'Valid', 'pt-BR': 'Válida' },
  invalid: { en: 'Not valid', 'pt-BR': 'Não é válida' },
  undetermined: { en: 'Could not be judged', 'pt-BR': 'Não pôde ser avaliada' },
  fileValid: { en: 'The signatures are valid', 'pt-BR': 'As assinaturas são válidas' },
  fileValidOne: { en: 'The signature is valid', 'pt-BR': 'A assinatura é válida' },
  fileCommented: {
    en: 'Valid, with comments that nobody signed',
    'pt-BR': 'Válida, com comentários que ninguém assinou',
  },
  comments: {
    en: 'They were added or changed after signing, as a signer allows. Do not take them for the document.',
    'pt-BR':
      'Foram acrescentados ou alterados depois da assinatura, como um signatário permite. Não os tome pelo documento.',
  },
  fileFilledIn: {
    en: 'Valid, with fields filled in after signing',
    'pt-BR': 'Válida, com campos preenchidos depois da assinatura',
  },
  filledIn: {
    en: 'The signatures made before do not cover what these fields say now.',
    'pt-BR': 'As assinaturas feitas antes não cobrem o que esses campos dizem agora.',
  },
  fileCovered: {
    en: 'Valid, with a later signature shown over content',
    'pt-BR': 'Válida, com uma assinatura posterior mostrada sobre conteúdo',
  },
  covered: {
    en: 'Whoever signed before saw the page without it. Compare the page with the document as it was signed.',
    'pt-BR': 'Quem assinou antes viu a página sem ela. Compare a página com o documento como foi assinado.',
  },
  fileOverlaid: {
    en: 'Something that may hide content or show another came after signing',
    'pt-BR': 'Algo que pode esconder conteúdo ou mostrar outro veio depois da assinatura',
  },
  fileInvalid: { en: 'Do not rely on this file', 'pt-BR': 'Não confie neste arquivo' },
  fileUndetermined: {
    en: 'The signatures could not be fully judged',
    'pt-BR': 'As assinaturas não puderam ser avaliadas por completo',
  },
  fileUndeterminedOne: {
    en: 'The signature could not be fully judged',
    'pt-BR': 'A assinatura não pôde ser avaliada por completo',
  },
  fileWithoutContent: { en: 'The signed content is missing', 'pt-BR': 'Falta o conteúdo assinado' },
  filePartly: {
    en: 'Only a part of the document is signed',
    'pt-BR': 'Só uma parte do documento está assinada',
  },
  restOpen: {
    en: 'Anyone may have written the rest. What each signature covers is below.',
    'pt-BR': 'Qualquer pessoa pode ter escrito o resto. O que cada assinatura cobre está abaixo.',
  },
  fileUnsigned: { en: 'The file is not signed', 'pt-BR': 'O arquivo não está assinado' },
  signatures: {
    en: (n: number) => (n === 1 ? '1 signature' : `${n} signatures`),
    'pt-BR': (n: number) => (n === 1 ? '1 assinatura' : `${n} assinaturas`),
  },

  unnamed: { en: 'A signer without a certificate', 'pt-BR': 'Signatário sem certificado' },
  sealOf: { en: (name: string) => `Seal of ${name}`, 'pt-BR': (name: string) => `Selo de ${name}` },
  sealExplained: {
    en: 'It keeps the file and the evidences of electronic signatures as they are, and is no signature of one of the people.',
    'pt-BR':
      'Mantém o arquivo e as evidências das assinaturas eletrônicas como estão, e não é a assinatura de uma das pessoas.',
  },
  timestampBy: {
    en: (name: string) => `Timestamp by ${name}`,
    'pt-BR': (name: string) => `Carimbo do tempo de ${name}`,
  },
  countersignedBy: {
    en: (name: string) => `Countersignature by ${name}`,
    'pt-BR': (name: string) => `Contra-assinatura de ${name}`,
  },
  issuedBy: { en: 'Issued by', 'pt-BR': 'Emitido por' },
  certificate: { en: 'Certificate', 'pt-BR': 'Certificado' },
  integrity: { en: 'Integrity', 'pt-BR': 'Integridade' },
  intact: { en: 'As it was signed', 'pt-BR': 'Tal como foi assinado' },
  broken: { en: 'Changed since it was signed', 'pt-BR': 'Alterado depois de assinado' },
  unchecked: { en: 'Could not be checked', 'pt-BR': 'Não pôde ser conferida' },
  signedAt: { en: 'Signed', 'pt-BR': 'Assinado em' },
  proven: {
    en: (time: string) => `${time}, proven by a timestamp`,
    'pt-BR': (time: string) => `${time}, provado por um carimbo do tempo`,
  },
  claimed: {
    en: (time: string) => `${time}, as the signer says`,
    'pt-BR': (time: string) => `${time}, segundo o signatário`,
  },
  covers: { en: 'Covers', 'pt-BR': 'Cobre' },
  after: { en: 'After it', 'pt-BR': 'Depois dela' },
  nothing: { en: 'Nothing', 'pt-BR': 'Nada' },
  notAllowed: { en: 'Not allowed', 'pt-BR': 'Não permitido' },

  fileDetails: { en: 'Details of the file', 'pt-BR': 'Detalhes do arquivo' },
  details: { en: 'Technical details', 'pt-BR': 'Detalhes técnicos' },
  verdict: { en: 'Verdict (EN 319 102-1)', 'pt-BR': 'Veredito (EN 319 102-1)' },
  chain: { en: 'Chain', 'pt-BR': 'Cadeia' },
  validity: { en: 'Validity', 'pt-BR': 'Validade' },
  serial: { en: 'Serial number', 'pt-BR': 'Número de série' },
  judgedAt: { en: 'Judged as of', 'pt-BR': 'Avaliado em' },
  place: { en: 'Place', 'pt-BR': 'Lugar' },
  policy: { en: 'Policy', 'pt-BR': 'Política' },
  timestamp: { en: 'Timestamp', 'pt-BR': 'Carimbo do tempo' },
  archived: { en: 'Archive timestamp', 'pt-BR': 'Carimbo de arquivamento' },
  countersigned: { en: 'Countersigned by', 'pt-BR': 'Contra-assinado por' },
  problems: { en: 'Problems', 'pt-BR': 'Problemas' },
  notes: { en: 'Notes', 'pt-BR': 'Observações' },
  passed: { en: 'Checks that passed', 'pt-BR': 'Conferências que passaram' },

  needsContent: {
    en: 'This signature stands apart from its content. Choose the file that it is over.',
    'pt-BR': 'Esta assinatura está separada do conteúdo. Escolha o arquivo que ela assina.',
  },
  chooseContent: { en: 'Choose the content', 'pt-BR': 'Escolher o conteúdo' },
});

export type VerificationWords = ReturnType<typeof verificationWords>;

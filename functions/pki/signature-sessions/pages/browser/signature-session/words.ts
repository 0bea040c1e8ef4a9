import { REFUSALS } from '../../../../../../shared/ui/browser/signing/words.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';

/** What the page says while somebody acts, and when there is nothing to do. */
export const sessionWords = translations({
  loading: { en: 'Loading…', 'pt-BR': 'Carregando…' },
  asks: {
    en: (who: string, count: number) =>
      `${who} asks you to sign ${count === 1 ? 'this document' : `these ${count} documents`}.`,
    'pt-BR': (who: string, count: number) =>
      `${who} pede que você assine ${count === 1 ? 'este documento' : `estes ${count} documentos`}.`,
  },
  returnsTo: {
    en: (host: string) => `Afterwards you return to ${host}.`,
    'pt-BR': (host: string) => `Depois você volta para ${host}.`,
  },
  signingOf: {
    en: (name: string, step: string) => `${name}: ${step}`,
    'pt-BR': (name: string, step: string) => `${name}: ${step}`,
  },
  read: { en: 'Read', 'pt-BR': 'Ler' },
  readOf: { en: (name: string) => `Read ${name}`, 'pt-BR': (name: string) => `Ler ${name}` },
  hashOf: { en: (name: string) => `SHA-256 of ${name}`, 'pt-BR': (name: string) => `SHA-256 de ${name}` },
  save: { en: 'Download', 'pt-BR': 'Baixar' },
  saveOf: { en: (name: string) => `Download ${name}`, 'pt-BR': (name: string) => `Baixar ${name}` },
  notSaved: {
    en: 'It could not be downloaded. Reload the page and try again.',
    'pt-BR': 'Não foi possível baixar. Recarregue a página e tente de novo.',
  },
  signed: { en: 'Signed', 'pt-BR': 'Assinado' },
  changed: {
    en: 'The documents have changed. Look at them again, then sign.',
    'pt-BR': 'Os documentos mudaram. Confira de novo e depois assine.',
  },
  making: { en: 'Making the signed files…', 'pt-BR': 'Gerando os arquivos assinados…' },
  cancelling: { en: 'Cancelling…', 'pt-BR': 'Cancelando…' },
  completed: { en: 'The documents are signed', 'pt-BR': 'Os documentos estão assinados' },
  completedHint: { en: 'There is nothing left to do here.', 'pt-BR': 'Não há mais nada para fazer aqui.' },
  cancelled: { en: 'Nothing was signed', 'pt-BR': 'Nada foi assinado' },
  cancelledHint: { en: 'The session was cancelled.', 'pt-BR': 'A sessão foi cancelada.' },
  failed: { en: 'The files could not be made', 'pt-BR': 'Não foi possível gerar os arquivos' },
  failedHint: {
    en: 'Nothing was delivered. Go back and begin again.',
    'pt-BR': 'Nada foi entregue. Volte e comece de novo.',
  },
  expired: { en: 'The time to sign is over', 'pt-BR': 'O tempo para assinar acabou' },
  expiredHint: {
    en: 'Go back to where you came from and begin again.',
    'pt-BR': 'Volte para onde você estava e comece de novo.',
  },
  unknown: { en: 'This link opens no documents', 'pt-BR': 'Este link não abre nenhum documento' },
  unknownHint: {
    en: 'Perhaps it was cut short on its way to you. Open it again from where it came.',
    'pt-BR': 'Talvez ele tenha chegado cortado. Abra de novo a partir de onde veio.',
  },
  lost: { en: 'The documents could not be loaded', 'pt-BR': 'Não foi possível carregar os documentos' },
  lostHint: {
    en: 'Check your internet and reload the page.',
    'pt-BR': 'Verifique sua internet e recarregue a página.',
  },
  empty: { en: 'There is nothing to sign yet', 'pt-BR': 'Ainda não há nada para assinar' },
  emptyHint: {
    en: 'No document was added to this session.',
    'pt-BR': 'Nenhum documento foi adicionado a esta sessão.',
  },
});

/** What the server's refusals mean to the person who signs, by their codes. */
export const refusalWords = translations({
  CertificateMismatch: {
    en: 'Another certificate signed the first of these documents. Choose the same.',
    'pt-BR': 'Outro certificado assinou o primeiro destes documentos. Escolha o mesmo.',
  },
  CertificateRequirementNotMet: {
    en: 'The certificate is of another person: its CPF is not the one that these documents ask for.',
    'pt-BR': 'O certificado é de outra pessoa: o CPF dele não é o que estes documentos pedem.',
  },
  PKCertificateMalformed: REFUSALS.certificateUnreadable,
  UnsupportedSignatureAlgorithm: {
    en: 'The certificate has a kind of key that does not sign here. Choose another file.',
    'pt-BR': 'O certificado tem um tipo de chave que não assina aqui. Escolha outro arquivo.',
  },
  InvalidSignature: REFUSALS.signatureInvalid,
  DocumentNotSignable: {
    en: 'One of the files cannot be signed as it is. Tell whoever sent you here.',
    'pt-BR': 'Um dos arquivos não pode ser assinado como está. Avise quem enviou você para cá.',
  },
  TooManyRequests: REFUSALS.tooMany,
});

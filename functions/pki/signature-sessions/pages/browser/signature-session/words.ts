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
  asksForFiles: {
    en: (who: string) => `${who} asks you to sign files of your own. Add them here, then sign.`,
    'pt-BR': (who: string) => `${who} pede que você assine arquivos seus. Adicione aqui e depois assine.`,
  },
  requiresCpf: {
    en: (cpf: string) => `Sign with a certificate of the CPF ${cpf}, your own and not of a company.`,
    'pt-BR': (cpf: string) => `Assine com um certificado do CPF ${cpf}, seu e não de uma empresa.`,
  },
  requiresDevice: {
    en: 'The certificate must be of type A3 or A4: in a token, a card or the cloud.',
    'pt-BR': 'O certificado tem de ser do tipo A3 ou A4: em um token, um cartão ou na nuvem.',
  },
  uploading: {
    en: (name: string, percent: number) => `Sending ${name}: ${percent}%`,
    'pt-BR': (name: string, percent: number) => `Enviando ${name}: ${percent}%`,
  },
  emptyFile: {
    en: (name: string) => `${name} is empty. Choose another file.`,
    'pt-BR': (name: string) => `${name} está vazio. Escolha outro arquivo.`,
  },
  tooLarge: {
    en: (size: string) => `The file is too large: ${size} is the limit.`,
    'pt-BR': (size: string) => `O arquivo é grande demais: o limite é ${size}.`,
  },
  rejected: {
    en: (reason: string) => `This file is not taken. ${reason}`,
    'pt-BR': (reason: string) => `Este arquivo não é aceito. ${reason}`,
  },
  remove: { en: 'Remove', 'pt-BR': 'Remover' },
  removeOf: { en: (name: string) => `Remove ${name}`, 'pt-BR': (name: string) => `Remover ${name}` },
  notRemoved: {
    en: 'It could not be removed. Reload the page and try again.',
    'pt-BR': 'Não foi possível remover. Recarregue a página e tente de novo.',
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
  processingHint: {
    en: 'The signed files are being made. You need not wait for them.',
    'pt-BR': 'Os arquivos assinados estão sendo gerados. Você não precisa esperar.',
  },
  keepSigned: { en: 'Keep the signed files:', 'pt-BR': 'Guarde os arquivos assinados:' },
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
    en: 'The certificate is of another person or of a company: these documents ask for that of one CPF.',
    'pt-BR': 'O certificado é de outra pessoa ou de uma empresa: estes documentos pedem o de um CPF.',
  },
  CryptoDevice: {
    en: 'These documents ask for a certificate of type A3 or A4: in a token, a card or the cloud.',
    'pt-BR': 'Estes documentos pedem um certificado do tipo A3 ou A4: em um token, um cartão ou na nuvem.',
  },
  FileValidationUnavailable: {
    en: 'It could not be found out whether this file is taken. Try again in a minute.',
    'pt-BR': 'Não foi possível saber se este arquivo é aceito. Tente de novo em um minuto.',
  },
  TooManyDocuments: {
    en: 'No more files can be added: 20 are signed at a time.',
    'pt-BR': 'Não é possível adicionar mais arquivos: são assinados 20 de cada vez.',
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

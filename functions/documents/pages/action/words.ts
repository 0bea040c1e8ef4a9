import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of the page at an action URL before anybody acts. */
export const actionWords = translations({
  asksSignature: {
    en: (who: string) => `${who} asks for your signature`,
    'pt-BR': (who: string) => `${who} pede sua assinatura`,
  },
  asksApproval: {
    en: (who: string) => `${who} asks for your approval`,
    'pt-BR': (who: string) => `${who} pede sua aprovação`,
  },
  asksSignatureNobody: { en: 'Your signature is asked for', 'pt-BR': 'Sua assinatura foi solicitada' },
  asksApprovalNobody: { en: 'Your approval is asked for', 'pt-BR': 'Sua aprovação foi solicitada' },
  titleToSign: {
    en: (name: string) => `Sign: ${name} · Sinete`,
    'pt-BR': (name: string) => `Assinar: ${name} · Sinete`,
  },
  titleToApprove: {
    en: (name: string) => `Approve: ${name} · Sinete`,
    'pt-BR': (name: string) => `Aprovar: ${name} · Sinete`,
  },
  titleOfDocument: {
    en: (name: string) => `Document: ${name} · Sinete`,
    'pt-BR': (name: string) => `Documento: ${name} · Sinete`,
  },
  previewText: {
    en: 'Read the document and act on it. The link is personal: do not pass it on.',
    'pt-BR': 'Leia o documento e faça a sua parte. O link é pessoal: não o repasse.',
  },
  until: { en: (day: string) => `until ${day}`, 'pt-BR': (day: string) => `até ${day}` },
  document: { en: 'Document', 'pt-BR': 'Documento' },
  signHere: { en: 'You sign here', 'pt-BR': 'Você assina aqui' },
  approvedHere: { en: 'Copies show your approval here', 'pt-BR': 'As cópias mostram sua aprovação aqui' },
  participants: { en: 'Participants', 'pt-BR': 'Participantes' },
  step: { en: (step: number) => `Step ${step}`, 'pt-BR': (step: number) => `Etapa ${step}` },
  enough: {
    en: (required: number, all: number) => `${required} of these ${all}`,
    'pt-BR': (required: number, all: number) => `${required} destes ${all}`,
  },
  waits: { en: 'Waits for their turn', 'pt-BR': 'Aguarda a vez' },
  signaturePending: { en: 'To sign', 'pt-BR': 'Falta assinar' },
  approvalPending: { en: 'To approve', 'pt-BR': 'Falta aprovar' },
  signed: { en: 'Signed', 'pt-BR': 'Assinou' },
  approved: { en: 'Approved', 'pt-BR': 'Aprovou' },
  withCertificateOf: {
    en: (holder: string) => `with the certificate of ${holder}`,
    'pt-BR': (holder: string) => `com o certificado de ${holder}`,
  },
  refused: { en: 'Refused', 'pt-BR': 'Recusou' },
  notNeeded: { en: 'No longer needed', 'pt-BR': 'Não é mais necessário' },

  yourSignature: { en: 'Your signature', 'pt-BR': 'Sua assinatura' },
  yourApproval: { en: 'Your approval', 'pt-BR': 'Sua aprovação' },
  signAs: { en: 'You sign as', 'pt-BR': 'Você assina como' },
  approveAs: { en: 'You approve as', 'pt-BR': 'Você aprova como' },
  askedOf: { en: 'The signature is asked of', 'pt-BR': 'A assinatura foi pedida a' },
  nameInCertificate: {
    en: 'The name in your certificate is recorded as the signer.',
    'pt-BR': 'Fica registrado como signatário o nome que está no seu certificado.',
  },
  forCompany: {
    en: (cnpj: string) => `with a certificate of the company ${cnpj}`,
    'pt-BR': (cnpj: string) => `com um certificado da empresa ${cnpj}`,
  },
  forAnyCompany: {
    en: 'with a certificate of a company (e-CNPJ)',
    'pt-BR': 'com um certificado de empresa (e-CNPJ)',
  },
  forPerson: {
    en: 'with a certificate of a person (e-CPF)',
    'pt-BR': 'com um certificado de pessoa (e-CPF)',
  },
  parts: {
    en: (count: number) => `The ${count} files of this envelope are signed as one document`,
    'pt-BR': (count: number) => `Os ${count} arquivos deste envelope são assinados como um só documento`,
  },
  onPage: { en: (page: number) => `page ${page}`, 'pt-BR': (page: number) => `página ${page}` },
  onPages: {
    en: (first: number, last: number) => `pages ${first} to ${last}`,
    'pt-BR': (first: number, last: number) => `páginas ${first} a ${last}`,
  },
  sign: { en: 'Sign the document', 'pt-BR': 'Assinar o documento' },
  approve: { en: 'Approve the document', 'pt-BR': 'Aprovar o documento' },
  approveHint: {
    en: 'Your approval is recorded with your name and the time.',
    'pt-BR': 'Sua aprovação é registrada com seu nome e o horário.',
  },
  refuse: { en: 'Refuse…', 'pt-BR': 'Recusar…' },
  refuseTitle: { en: 'Refuse the document', 'pt-BR': 'Recusar o documento' },
  refuseHint: {
    en: 'The flow ends for everybody. Whoever sent the document can read your reason.',
    'pt-BR': 'O fluxo termina para todos. Quem enviou o documento pode ler o motivo.',
  },
  refusePartHint: {
    en: 'The flow goes on: enough others of your group are left. Whoever sent the document can read your reason.',
    'pt-BR':
      'O fluxo continua: outras pessoas do seu grupo bastam. Quem enviou o documento pode ler o motivo.',
  },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  confirmRefusal: { en: 'Refuse', 'pt-BR': 'Recusar' },
  goBack: { en: 'Go back', 'pt-BR': 'Voltar' },
  needsScript: {
    en: 'You can read the document here. To sign, approve or refuse it, turn JavaScript on and reload the page.',
    'pt-BR':
      'Você pode ler o documento aqui. Para assinar, aprovar ou recusar, ative o JavaScript e recarregue a página.',
  },
});

/** The texts of the page of a link that opens nothing. */
export const linkWords = translations({
  title: { en: 'This link opens no document', 'pt-BR': 'Este link não abre nenhum documento' },
  wrongKey: {
    en: 'Perhaps it was cut short on its way to you, or the document is gone. Open it again from the message it came in.',
    'pt-BR':
      'Talvez ele tenha chegado cortado, ou o documento não exista mais. Abra de novo a partir da mensagem em que veio.',
  },
  expiredTitle: { en: 'This link is no longer valid', 'pt-BR': 'Este link não vale mais' },
  expired: {
    en: 'It has expired or was revoked, or the document has a new version. Open it again from the message it came in, or ask the sender for a new link.',
    'pt-BR':
      'Ele expirou ou foi revogado, ou o documento tem uma nova versão. Abra de novo a partir da mensagem em que veio, ou peça um novo link a quem enviou.',
  },
  removedTitle: { en: 'This link is not for you any more', 'pt-BR': 'Este link não é mais para você' },
  removed: {
    en: 'The sender changed who takes part in the document, or the address that it goes to. If that is a mistake, ask the sender for a new link.',
    'pt-BR':
      'Quem enviou mudou os participantes do documento, ou o endereço para o qual ele vai. Se for engano, peça um novo link a quem enviou.',
  },
});

import { translations } from '../../../../../shared/ui/translations.ts';

/** The texts of the page of a document. */
export const documentWords = translations({
  sentBy: { en: 'Sent by', 'pt-BR': 'Enviado por' },
  created: { en: 'Sent', 'pt-BR': 'Enviado em' },
  deadline: { en: 'Deadline', 'pt-BR': 'Prazo' },
  folder: { en: 'Folder', 'pt-BR': 'Pasta' },
  code: { en: 'Verification code', 'pt-BR': 'Código de verificação' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  message: { en: 'Message', 'pt-BR': 'Mensagem' },
  people: { en: 'People', 'pt-BR': 'Pessoas' },
  step: { en: (step: number) => `Step ${step}`, 'pt-BR': (step: number) => `Etapa ${step}` },
  signs: { en: 'signs', 'pt-BR': 'assina' },
  approves: { en: 'approves', 'pt-BR': 'aprova' },
  enough: {
    en: (required: number, all: number) => `${required} of these ${all} are enough`,
    'pt-BR': (required: number, all: number) => `bastam ${required} destes ${all}`,
  },
  Created: { en: 'Waits for others', 'pt-BR': 'Aguarda outros' },
  Pending: { en: 'Their turn', 'pt-BR': 'É a vez' },
  Completed: { en: 'Done', 'pt-BR': 'Pronto' },
  Refused: { en: 'Refused', 'pt-BR': 'Recusou' },
  notNeeded: { en: 'No longer needed', 'pt-BR': 'Não é mais preciso' },
  certificateOf: { en: 'Signed by the certificate of', 'pt-BR': 'Assinado com o certificado de' },
  otherName: { en: 'Another name', 'pt-BR': 'Outro nome' },
  remind: { en: 'Remind', 'pt-BR': 'Lembrar' },
  correct: { en: 'Correct the e-mail', 'pt-BR': 'Corrigir o e-mail' },
  newEmail: { en: 'E-mail', 'pt-BR': 'E-mail' },
  correctHint: {
    en: 'Links that went to the earlier address open nothing from then on.',
    'pt-BR': 'Os links enviados ao endereço anterior deixam de funcionar.',
  },
  save: { en: 'Save', 'pt-BR': 'Salvar' },
  getLink: { en: 'Get the link', 'pt-BR': 'Obter o link' },
  linkFor: { en: (who: string) => `Link of ${who}`, 'pt-BR': (who: string) => `Link de ${who}` },
  linkHint: {
    en: 'Whoever has it sees the document and acts in the name of this person: give it to them alone.',
    'pt-BR': 'Quem o tem vê o documento e pode agir em nome desta pessoa: entregue-o só a ela.',
  },
  history: { en: 'History', 'pt-BR': 'Histórico' },
  didReplace: {
    en: (who: string) => `${who} uploaded a new version. The flow began again.`,
    'pt-BR': (who: string) => `${who} carregou uma nova versão. O fluxo recomeçou.`,
  },
  didMove: {
    en: (who: string, folder: string | null) =>
      folder === null ? `${who} moved it out of its folder.` : `${who} moved it to the folder ${folder}.`,
    'pt-BR': (who: string, folder: string | null) =>
      folder === null ? `${who} tirou o documento da pasta.` : `${who} moveu para a pasta ${folder}.`,
  },
  didEdit: {
    en: (who: string) => `${who} changed who acts.`,
    'pt-BR': (who: string) => `${who} alterou quem age.`,
  },
  files: { en: 'Files', 'pt-BR': 'Arquivos' },
  Original: { en: 'Original', 'pt-BR': 'Original' },
  Signatures: { en: 'Signed file', 'pt-BR': 'Arquivo assinado' },
  OriginalWithMarks: { en: 'With marks, to look at', 'pt-BR': 'Com marcas, para ver' },
  PrinterFriendlyVersion: { en: 'To print, with the evidence', 'pt-BR': 'Para imprimir, com as evidências' },
  SignaturesManifest: { en: 'Evidence alone', 'pt-BR': 'Só as evidências' },
  verify: { en: 'Verify the signatures', 'pt-BR': 'Verificar as assinaturas' },
  signatures: { en: 'Signatures', 'pt-BR': 'Assinaturas' },
  noSignatures: { en: 'Nobody has signed yet.', 'pt-BR': 'Ninguém assinou ainda.' },
  valid: { en: 'Valid', 'pt-BR': 'Válida' },
  invalid: { en: 'Not valid', 'pt-BR': 'Inválida' },
  signer: { en: 'Signer', 'pt-BR': 'Quem assinou' },
  seal: { en: 'Seal of', 'pt-BR': 'Selo de' },
  sealExplained: {
    en: 'It keeps the file and the evidences of electronic signatures as they are, and is no signature of one of the people.',
    'pt-BR':
      'Mantém o arquivo e as evidências das assinaturas eletrônicas como estão, e não é a assinatura de uma das pessoas.',
  },
  issuer: { en: 'Certificate by', 'pt-BR': 'Certificado de' },
  signedAt: { en: 'Signed', 'pt-BR': 'Assinado em' },
  result: { en: 'Result', 'pt-BR': 'Resultado' },
  back: { en: 'Back to the document', 'pt-BR': 'Voltar ao documento' },
  newVersion: { en: 'New version', 'pt-BR': 'Nova versão' },
  versionExplained: {
    en: 'The file takes the place of this one, and everybody acts again.',
    'pt-BR': 'O arquivo toma o lugar deste, e todos agem de novo.',
  },
  file: { en: 'File', 'pt-BR': 'Arquivo' },
  cancel: { en: 'Cancel the document', 'pt-BR': 'Cancelar o documento' },
  cancelExplained: {
    en: 'Nobody can sign it any more. The reason is kept with the document.',
    'pt-BR': 'Ninguém mais poderá assiná-lo. O motivo fica registrado no documento.',
  },
  cancelIsTold: {
    en: 'Those who were asked get a mail, without the reason.',
    'pt-BR': 'Quem foi chamado recebe um e-mail, sem o motivo.',
  },
  cancelIsNotTold: {
    en: 'Nobody gets a mail of it: mail is off for this document.',
    'pt-BR': 'Ninguém recebe e-mail sobre isso: o envio está desligado para este documento.',
  },
  remove: { en: 'Delete the document', 'pt-BR': 'Excluir o documento' },
  removeExplained: {
    en: 'The document, its signatures and its history are gone for good.',
    'pt-BR': 'O documento, suas assinaturas e seu histórico somem de vez.',
  },
  move: { en: 'Move', 'pt-BR': 'Mover' },
  doing: { en: 'What you can do', 'pt-BR': 'O que você pode fazer' },
  sent: {
    en: 'It is sent. You can follow it here.',
    'pt-BR': 'Foi enviado. Você pode acompanhar aqui.',
  },
  invitedNow: {
    en: 'The address was changed. An invitation is on its way there.',
    'pt-BR': 'O endereço foi alterado. Um convite está a caminho dele.',
  },
  invitedLater: {
    en: 'The address was changed. An invitation goes there when it is their turn.',
    'pt-BR': 'O endereço foi alterado. O convite vai para lá quando for a vez da pessoa.',
  },
  notInvited: {
    en: 'The address was changed. No invitation goes there: give them the link yourself.',
    'pt-BR': 'O endereço foi alterado. Nenhum convite vai para lá: entregue o link você mesmo.',
  },
  unchanged: { en: 'The address is as it was.', 'pt-BR': 'O endereço continua como estava.' },
  remindedAlready: {
    en: (when: string) =>
      `Nobody was reminded: a mail went to them within the last hour. The next one may go from ${when} on.`,
    'pt-BR': (when: string) =>
      `Ninguém foi lembrado: um e-mail já foi enviado na última hora. O próximo pode ir a partir de ${when}.`,
  },
  reminded: { en: 'A mail is on its way.', 'pt-BR': 'Um e-mail está a caminho.' },
  canceled: { en: 'The document is canceled.', 'pt-BR': 'O documento está cancelado.' },
  moved: { en: 'The document was moved.', 'pt-BR': 'O documento foi movido.' },
  replaced: {
    en: 'The new version is there, and everybody acts again.',
    'pt-BR': 'A nova versão está aqui, e todos agem de novo.',
  },
  didSend: { en: (who: string) => `${who} sent it.`, 'pt-BR': (who: string) => `${who} enviou.` },
  didSign: { en: (who: string) => `${who} signed.`, 'pt-BR': (who: string) => `${who} assinou.` },
  didSignAs: {
    en: (who: string, holder: string) => `${who} signed, with the certificate of ${holder}.`,
    'pt-BR': (who: string, holder: string) => `${who} assinou, com o certificado de ${holder}.`,
  },
  didApprove: { en: (who: string) => `${who} approved.`, 'pt-BR': (who: string) => `${who} aprovou.` },
  didRefuse: {
    en: (who: string, why: string) => `${who} refused: ${why}`,
    'pt-BR': (who: string, why: string) => `${who} recusou: ${why}`,
  },
  didOpen: {
    en: (who: string) => `The link of ${who} was opened for the first time.`,
    'pt-BR': (who: string) => `O link de ${who} foi aberto pela primeira vez.`,
  },
  didEnd: {
    en: (who: string, state: string) => `${state}, by ${who}.`,
    'pt-BR': (who: string, state: string) => `${state}, por ${who}.`,
  },
  becomes: { en: (state: string) => `${state}.`, 'pt-BR': (state: string) => `${state}.` },
  Invitation: {
    en: (who: string) => `Invitation to ${who}`,
    'pt-BR': (who: string) => `Convite para ${who}`,
  },
  Reminder: { en: (who: string) => `Reminder to ${who}`, 'pt-BR': (who: string) => `Lembrete para ${who}` },
  Notice: {
    en: (who: string) => `Mail to ${who} about the end`,
    'pt-BR': (who: string) => `E-mail a ${who} sobre o fim`,
  },
  Sending: { en: 'on its way', 'pt-BR': 'a caminho' },
  Sent: { en: 'sent', 'pt-BR': 'enviado' },
  Failed: { en: 'not delivered', 'pt-BR': 'não entregue' },
});

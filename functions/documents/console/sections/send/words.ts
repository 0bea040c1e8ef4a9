import { translations } from '../../../../../shared/ui/translations.ts';

/** The texts of drafts and of sending. */
export const sendWords = translations({
  title: { en: 'Send', 'pt-BR': 'Enviar' },
  intro: {
    en: 'Choose the files, say who signs, and send. Whoever acts has a link of their own.',
    'pt-BR': 'Escolha os arquivos, diga quem assina e envie. Cada pessoa que age tem um link só dela.',
  },
  files: { en: 'Files', 'pt-BR': 'Arquivos' },
  choose: { en: 'Choose files', 'pt-BR': 'Escolher arquivos' },
  drop: { en: 'or drop them here.', 'pt-BR': 'ou solte-os aqui.' },
  upload: { en: 'Upload', 'pt-BR': 'Carregar' },
  fileTitle: { en: 'Name of the document', 'pt-BR': 'Nome do documento' },
  up: { en: 'Move up', 'pt-BR': 'Mover para cima' },
  remove: { en: 'Remove', 'pt-BR': 'Remover' },
  noFiles: { en: 'No file yet.', 'pt-BR': 'Nenhum arquivo ainda.' },
  drafts: { en: 'Drafts', 'pt-BR': 'Rascunhos' },
  noDrafts: {
    en: 'What you begin and do not send is kept here for a month.',
    'pt-BR': 'O que você começa e não envia fica aqui por um mês.',
  },
  untitled: { en: 'Draft without files', 'pt-BR': 'Rascunho sem arquivos' },
  changed: { en: (when: string) => `changed ${when}`, 'pt-BR': (when: string) => `alterado em ${when}` },
  people: { en: 'People', 'pt-BR': 'Pessoas' },
  peopleHint: {
    en: 'People of one step act side by side, and the next step begins after them. With a CPF or CNPJ only that person’s or company’s certificate signs; without one, anybody’s.',
    'pt-BR':
      'As pessoas de uma etapa agem lado a lado, e a próxima etapa começa depois delas. Com CPF ou CNPJ, só assina o certificado dessa pessoa ou empresa; sem ele, o de qualquer um.',
  },
  rolesHint: {
    en: 'A role is somebody who is named when the template is used. Whoever is always the same is written out.',
    'pt-BR':
      'Um papel é alguém que só é nomeado quando o modelo é usado. Quem é sempre a mesma pessoa é escrito por extenso.',
  },
  part: { en: 'Role', 'pt-BR': 'Papel' },
  partHint: {
    en: 'Such as “Tenant”. Leave the fields below empty: they are asked for when the template is used.',
    'pt-BR': 'Por exemplo, “Inquilino”. Deixe os campos abaixo vazios: são pedidos quando o modelo é usado.',
  },
  person: { en: (at: number) => `Person ${at}`, 'pt-BR': (at: number) => `Pessoa ${at}` },
  name: { en: 'Name', 'pt-BR': 'Nome' },
  email: { en: 'E-mail', 'pt-BR': 'E-mail' },
  identifier: { en: 'CPF or CNPJ', 'pt-BR': 'CPF ou CNPJ' },
  role: { en: 'What they do', 'pt-BR': 'O que faz' },
  sign: { en: 'Signs with a certificate', 'pt-BR': 'Assina com certificado' },
  electronic: {
    en: 'Signs with a code or a certificate',
    'pt-BR': 'Assina com código ou certificado',
  },
  approve: { en: 'Approves', 'pt-BR': 'Aprova' },
  observe: { en: 'Is told', 'pt-BR': 'É informada' },
  step: { en: 'Step', 'pt-BR': 'Etapa' },
  group: { en: 'Group', 'pt-BR': 'Grupo' },
  groupHint: {
    en: 'People with the same group stand for each other: so many of them are enough.',
    'pt-BR': 'Pessoas com o mesmo grupo se substituem: basta esse número delas.',
  },
  enough: { en: 'How many of the group', 'pt-BR': 'Quantas do grupo' },
  more: { en: 'Order and groups', 'pt-BR': 'Ordem e grupos' },
  addPerson: { en: 'Add a person', 'pt-BR': 'Acrescentar pessoa' },
  details: { en: 'Details', 'pt-BR': 'Detalhes' },
  folder: { en: 'Folder', 'pt-BR': 'Pasta' },
  noFolder: { en: 'No folder', 'pt-BR': 'Sem pasta' },
  message: { en: 'Message', 'pt-BR': 'Mensagem' },
  messageHint: {
    en: 'It stands on the page where people sign or approve, and not in the mail.',
    'pt-BR': 'Aparece na página em que as pessoas assinam ou aprovam, e não no e-mail.',
  },
  deadline: { en: 'Deadline', 'pt-BR': 'Prazo' },
  deadlineHint: { en: 'The day ends in Brasília.', 'pt-BR': 'O dia termina em Brasília.' },
  placeMarks: { en: 'Place the marks', 'pt-BR': 'Posicionar as marcas' },
  review: { en: 'Review and send', 'pt-BR': 'Revisar e enviar' },
  save: { en: 'Save the draft', 'pt-BR': 'Salvar o rascunho' },
  deleteDraft: { en: 'Delete the draft', 'pt-BR': 'Excluir o rascunho' },
  deleteExplained: {
    en: 'The draft and its files are gone for good.',
    'pt-BR': 'O rascunho e seus arquivos somem de vez.',
  },
  deleted: { en: 'The draft was deleted.', 'pt-BR': 'O rascunho foi excluído.' },
  saved: { en: 'The draft is saved.', 'pt-BR': 'O rascunho está salvo.' },
  keepsMine: { en: 'Save mine over it', 'pt-BR': 'Salvar o meu por cima' },
  seeOther: { en: 'See what was saved', 'pt-BR': 'Ver o que foi salvo' },
  conflict: {
    en: (who: string) =>
      `${who} has changed this draft meanwhile. What you typed is below, and not saved yet.`,
    'pt-BR': (who: string) =>
      `${who} alterou este rascunho enquanto isso. O que você digitou está abaixo e ainda não foi salvo.`,
  },
  reviewTitle: { en: 'Review', 'pt-BR': 'Revisão' },
  flow: { en: 'Who acts when', 'pt-BR': 'Quem age quando' },
  stepOf: { en: (step: number) => `Step ${step}`, 'pt-BR': (step: number) => `Etapa ${step}` },
  ofGroup: {
    en: (required: number, all: number) => `${required} of these ${all}`,
    'pt-BR': (required: number, all: number) => `${required} destes ${all}`,
  },
  observers: { en: 'Are told', 'pt-BR': 'São informados' },
  marksCount: {
    en: (count: number) => (count === 1 ? '1 mark' : `${count} marks`),
    'pt-BR': (count: number) => (count === 1 ? '1 marca' : `${count} marcas`),
  },
  noMail: {
    en: 'No e-mail: give them the link yourself, from the page of the document.',
    'pt-BR': 'Sem e-mail: entregue o link você mesmo, na página do documento.',
  },
  anyCertificate: {
    en: 'No CPF: anybody’s certificate will do, and the evidence names its holder.',
    'pt-BR': 'Sem CPF: serve o certificado de qualquer pessoa, e a evidência traz o nome do titular.',
  },
  send: { en: 'Send', 'pt-BR': 'Enviar' },
  sendMany: {
    en: (count: number) => `Send ${count} documents`,
    'pt-BR': (count: number) => `Enviar ${count} documentos`,
  },
  mailIsOff: {
    en: 'Mail is off in your organization: nobody is told that it is their turn. Turn it on, or give everybody their link yourself.',
    'pt-BR':
      'O e-mail está desligado na sua organização: ninguém é avisado de que é sua vez. Ligue-o, ou entregue você mesmo o link a cada pessoa.',
  },
  mailOn: { en: 'Turn mail on', 'pt-BR': 'Ligar o e-mail' },
  mailIsOn: { en: 'Mail is on.', 'pt-BR': 'O e-mail está ligado.' },
  youAreTold: {
    en: (address: string) =>
      `You get a mail at ${address} when the document is concluded, refused or expired, or when an invitation cannot be delivered.`,
    'pt-BR': (address: string) =>
      `Você recebe um e-mail em ${address} quando o documento for concluído ou recusado, quando vencer, ou se um convite não puder ser entregue.`,
  },
  goBack: { en: 'Back to the draft', 'pt-BR': 'Voltar ao rascunho' },
  missing: { en: 'Before it can be sent:', 'pt-BR': 'Antes de poder enviar:' },
  missingFiles: { en: 'Choose at least one file.', 'pt-BR': 'Escolha pelo menos um arquivo.' },
  missingPeople: {
    en: 'Add at least one person who signs or approves.',
    'pt-BR': 'Acrescente pelo menos uma pessoa que assina ou aprova.',
  },
  missingName: {
    en: (who: string) => `${who}: the name is missing.`,
    'pt-BR': (who: string) => `${who}: falta o nome.`,
  },
  wrongIdentifier: {
    en: (who: string) => `${who}: this is neither a CPF nor a CNPJ.`,
    'pt-BR': (who: string) => `${who}: isto não é CPF nem CNPJ.`,
  },
  wrongEmail: {
    en: (who: string) => `${who}: this is no e-mail address.`,
    'pt-BR': (who: string) => `${who}: isto não é um e-mail.`,
  },
  missingEmail: {
    en: (who: string) => `${who}: whoever is told needs an e-mail address.`,
    'pt-BR': (who: string) => `${who}: quem é informado precisa de um e-mail.`,
  },
  missingAddressForCode: {
    en: (who: string) => `${who}: the code for the signature needs an e-mail address.`,
    'pt-BR': (who: string) => `${who}: o código da assinatura precisa de um e-mail.`,
  },
  companyElectronic: {
    en: (who: string) => `${who}: a company signs with its certificate.`,
    'pt-BR': (who: string) => `${who}: empresa assina com seu certificado.`,
  },
  companyInGroup: {
    en: (who: string) => `${who}: a company signs by itself. Give a CPF, or take it out of the group.`,
    'pt-BR': (who: string) => `${who}: empresa assina sozinha. Dê um CPF, ou tire-a do grupo.`,
  },
  companyApproves: {
    en: (who: string) => `${who}: a company signs, and a person approves. Give a CPF, or have them sign.`,
    'pt-BR': (who: string) => `${who}: empresa assina, e pessoa aprova. Dê um CPF, ou peça assinatura.`,
  },
  tooManyRequired: {
    en: (group: string) => `Group ${group}: it has fewer people than must act.`,
    'pt-BR': (group: string) => `Grupo ${group}: tem menos pessoas do que as que devem agir.`,
  },
  deadlinePassed: { en: 'The deadline has passed.', 'pt-BR': 'O prazo já passou.' },
  other: {
    en: (what: string) => `This is refused: ${what}.`,
    'pt-BR': (what: string) => `Isto é recusado: ${what}.`,
  },
  needsExample: {
    en: 'Marks are placed on an example of the file, for the roles. Add both first.',
    'pt-BR': 'As marcas são postas em um exemplo do arquivo, para os papéis. Acrescente os dois primeiro.',
  },
  needsFiles: {
    en: 'Marks are placed on files for people. Add both first.',
    'pt-BR': 'As marcas são postas em arquivos para pessoas. Acrescente os dois primeiro.',
  },
});

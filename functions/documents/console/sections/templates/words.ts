import { translations } from '../../../../../shared/ui/translations.ts';

/** The texts of templates. */
export const templateWords = translations({
  title: { en: 'Templates', 'pt-BR': 'Modelos' },
  intro: {
    en: 'A template has the roles, the marks, the message and the deadline of documents that you send again and again.',
    'pt-BR':
      'Um modelo tem os papéis, as marcas, a mensagem e o prazo de documentos que você envia com frequência.',
  },
  none: {
    en: 'No template yet. Make one for a document that you send often: you say once who signs it, and where.',
    'pt-BR':
      'Nenhum modelo ainda. Crie um para um documento que você envia sempre: você diz uma vez quem assina, e onde.',
  },
  noneFound: { en: 'No template has this name.', 'pt-BR': 'Nenhum modelo tem este nome.' },
  create: { en: 'New template', 'pt-BR': 'Novo modelo' },
  search: { en: 'Search', 'pt-BR': 'Buscar' },
  searchHint: { en: 'Search by name', 'pt-BR': 'Buscar por nome' },
  name: { en: 'Template', 'pt-BR': 'Modelo' },
  asks: { en: 'Asks for', 'pt-BR': 'Pede' },
  version: { en: 'Version', 'pt-BR': 'Versão' },
  changed: { en: 'Changed', 'pt-BR': 'Alterado' },
  versions: { en: 'Versions', 'pt-BR': 'Versões' },
  present: { en: 'as it is now', 'pt-BR': 'a atual' },
  madeBy: { en: 'By', 'pt-BR': 'Por' },
  useAgain: { en: 'Use this version again', 'pt-BR': 'Usar esta versão de novo' },
  useAgainHint: {
    en: 'You look at it and may change it. When you save it, it is the newest version; the others stay.',
    'pt-BR': 'Você confere e pode alterar. Ao salvar, ela vira a versão mais nova; as outras continuam.',
  },
  begun: { en: 'Being edited by you', 'pt-BR': 'Em edição por você' },
  untitled: { en: 'Template without a name', 'pt-BR': 'Modelo sem nome' },
  tableOf: { en: (name: string) => `${name}: for many`, 'pt-BR': (name: string) => `${name}: para muitos` },
  newest: { en: 'Sent to many', 'pt-BR': 'Enviados a muitos' },
  stored: { en: 'The template is saved.', 'pt-BR': 'O modelo está salvo.' },
  deleted: { en: 'The template was deleted.', 'pt-BR': 'O modelo foi excluído.' },
  draftDeleted: { en: 'What you had begun was deleted.', 'pt-BR': 'O que você tinha começado foi excluído.' },

  use: { en: 'Use for one document', 'pt-BR': 'Usar em um documento' },
  useHint: {
    en: 'Say who has the roles. You choose the file and look at everything before it is sent.',
    'pt-BR': 'Diga quem tem os papéis. Você escolhe o arquivo e confere tudo antes de enviar.',
  },
  goOn: { en: 'Continue', 'pt-BR': 'Continuar' },
  someRole: {
    en: 'A role has nobody yet. Give at least the name or the e-mail of everybody.',
    'pt-BR': 'Um papel ainda não tem ninguém. Dê pelo menos o nome ou o e-mail de cada pessoa.',
  },
  many: { en: 'Use for many people', 'pt-BR': 'Usar para muitas pessoas' },
  manyHint: {
    en: 'A spreadsheet has one line for each document, and the first line has the names of the columns.',
    'pt-BR': 'Uma planilha tem uma linha para cada documento, e a primeira linha tem os nomes das colunas.',
  },
  manyBegin: { en: 'Use a spreadsheet', 'pt-BR': 'Usar uma planilha' },
  edit: { en: 'Edit', 'pt-BR': 'Editar' },
  remove: { en: 'Delete the template', 'pt-BR': 'Excluir o modelo' },
  removeExplained: {
    en: 'Documents that were made of it stay.',
    'pt-BR': 'Os documentos feitos com ele continuam.',
  },
  deadline: { en: 'Deadline', 'pt-BR': 'Prazo' },
  days: {
    en: (days: number) => (days === 1 ? '1 day' : `${days} days`),
    'pt-BR': (days: number) => (days === 1 ? '1 dia' : `${days} dias`),
  },
  documentName: { en: 'Name of the documents', 'pt-BR': 'Nome dos documentos' },
  message: { en: 'Message', 'pt-BR': 'Mensagem' },

  editTitle: { en: 'Edit the template', 'pt-BR': 'Editar o modelo' },
  templateName: { en: 'Name of the template', 'pt-BR': 'Nome do modelo' },
  documentNameHint: {
    en: 'Left out: the name of the file. A value stands in double braces: Lease of {{Tenant}}.',
    'pt-BR': 'Vazio: o nome do arquivo. Um valor fica entre chaves duplas: Locação de {{Inquilino}}.',
  },
  daysLabel: { en: 'Days until the deadline', 'pt-BR': 'Dias até o prazo' },
  daysHint: { en: 'Left out: none.', 'pt-BR': 'Vazio: nenhum.' },
  messageHint: {
    en: 'It stands on the page where people sign or approve, and not in the mail. It may have values too.',
    'pt-BR':
      'Aparece na página em que as pessoas assinam ou aprovam, e não no e-mail. Também pode ter valores.',
  },
  example: { en: 'Example of the file', 'pt-BR': 'Exemplo do arquivo' },
  exampleHint: {
    en: 'To place the marks on. It is no part of the template.',
    'pt-BR': 'Para posicionar as marcas. Não faz parte do modelo.',
  },
  removeFile: { en: 'Remove', 'pt-BR': 'Remover' },
  placeMarks: { en: 'Place the marks', 'pt-BR': 'Posicionar as marcas' },
  save: { en: 'Save the template', 'pt-BR': 'Salvar o modelo' },
  saveDraft: { en: 'Save for later', 'pt-BR': 'Guardar para depois' },
  savedDraft: {
    en: 'It is kept for later. The template itself is as it was.',
    'pt-BR': 'Está guardado para depois. O modelo em si está como estava.',
  },
  missing: { en: 'Before it can be saved:', 'pt-BR': 'Antes de poder salvar:' },
  noTemplateName: { en: 'Give the template a name.', 'pt-BR': 'Dê um nome ao modelo.' },
  wrongTemplateName: {
    en: 'The name of the template is one line of at most 200 characters, without invisible characters.',
    'pt-BR': 'O nome do modelo é uma linha de no máximo 200 caracteres, sem caracteres invisíveis.',
  },
  wrongDocumentName: {
    en: 'The name of the documents is one line of at most 255 characters, without invisible characters.',
    'pt-BR': 'O nome dos documentos é uma linha de no máximo 255 caracteres, sem caracteres invisíveis.',
  },
  wrongDays: {
    en: 'The deadline is a number of days from 1 to 3650.',
    'pt-BR': 'O prazo é um número de dias de 1 a 3650.',
  },
  conflict: {
    en: (version: number) =>
      `Somebody has changed this template meanwhile: it is version ${version} now. Yours is below, and not saved yet.`,
    'pt-BR': (version: number) =>
      `Alguém alterou este modelo enquanto isso: agora é a versão ${version}. O seu está abaixo e ainda não foi salvo.`,
  },
  seeOther: { en: 'See what was saved', 'pt-BR': 'Ver o que foi salvo' },
  keepMine: { en: 'Save mine over it', 'pt-BR': 'Salvar o meu por cima' },
  draftChanged: {
    en: 'Another window of yours has changed this meanwhile. What you typed is below, and not saved yet.',
    'pt-BR':
      'Outra janela sua alterou isto enquanto isso. O que você digitou está abaixo e ainda não foi salvo.',
  },
  deleteDraft: { en: 'Throw away what I edited', 'pt-BR': 'Descartar o que editei' },
  deleteDraftExplained: {
    en: 'The template itself stays as it was.',
    'pt-BR': 'O modelo em si fica como estava.',
  },
  back: { en: 'Back to the templates', 'pt-BR': 'Voltar aos modelos' },
});

import { translations } from '../../../../../shared/ui/translations.ts';

/** The texts of lists of documents. */
export const listWords = translations({
  title: { en: 'Documents', 'pt-BR': 'Documentos' },
  views: { en: 'Lists of documents', 'pt-BR': 'Listas de documentos' },
  all: { en: 'All', 'pt-BR': 'Todos' },
  mine: { en: 'Waiting for me', 'pt-BR': 'Aguardando por mim' },
  pending: { en: 'In progress', 'pt-BR': 'Em andamento' },
  concluded: { en: 'Concluded', 'pt-BR': 'Concluídos' },
  refused: { en: 'Refused', 'pt-BR': 'Recusados' },
  expired: { en: 'Expired', 'pt-BR': 'Vencidos' },
  canceled: { en: 'Canceled', 'pt-BR': 'Cancelados' },
  drafts: { en: 'Drafts', 'pt-BR': 'Rascunhos' },
  folders: { en: 'Folders', 'pt-BR': 'Pastas' },
  allFolders: { en: 'All folders', 'pt-BR': 'Todas as pastas' },
  newFolder: { en: 'New folder', 'pt-BR': 'Nova pasta' },
  create: { en: 'Create', 'pt-BR': 'Criar' },
  search: { en: 'Search', 'pt-BR': 'Buscar' },
  searchHint: {
    en: 'Search by name, person, CPF or e-mail',
    'pt-BR': 'Buscar por nome, pessoa, CPF ou e-mail',
  },
  name: { en: 'Document', 'pt-BR': 'Documento' },
  state: { en: 'State', 'pt-BR': 'Situação' },
  people: { en: 'People', 'pt-BR': 'Pessoas' },
  changed: { en: 'Changed', 'pt-BR': 'Alterado' },
  folder: { en: 'Folder', 'pt-BR': 'Pasta' },
  select: { en: (name: string) => `Select ${name}`, 'pt-BR': (name: string) => `Selecionar ${name}` },
  progress: {
    en: (done: number, all: number) => `${done} of ${all} done`,
    'pt-BR': (done: number, all: number) => `${done} de ${all} prontos`,
  },
  empty: { en: 'No document here.', 'pt-BR': 'Nenhum documento aqui.' },
  emptyFirst: {
    en: 'Nothing was sent yet. Send the first document: choose a file, say who signs, and follow it here.',
    'pt-BR':
      'Nada foi enviado ainda. Envie o primeiro documento: escolha um arquivo, diga quem assina e acompanhe aqui.',
  },
  sendFirst: { en: 'Send a document', 'pt-BR': 'Enviar um documento' },
  more: { en: 'Look further', 'pt-BR': 'Buscar mais' },
  selected: { en: 'selected', 'pt-BR': 'selecionados' },
  selectPage: { en: 'Select this page', 'pt-BR': 'Selecionar esta página' },
  zip: { en: 'Download as ZIP', 'pt-BR': 'Baixar em ZIP' },
  remind: { en: 'Remind', 'pt-BR': 'Lembrar' },
  move: { en: 'Move', 'pt-BR': 'Mover' },
  moveTo: { en: 'Move to', 'pt-BR': 'Mover para' },
  noFolder: { en: 'No folder', 'pt-BR': 'Sem pasta' },
  cancel: { en: 'Cancel', 'pt-BR': 'Cancelar' },
  cancelSelected: { en: 'Cancel the selected', 'pt-BR': 'Cancelar os selecionados' },
  cancelExplained: {
    en: 'Nobody can sign them any more. The reason is kept with the documents.',
    'pt-BR': 'Ninguém mais poderá assiná-los. O motivo fica registrado nos documentos.',
  },
  cancelIsTold: {
    en: 'Those who were asked get a mail, without the reason, except for documents that were created without mail.',
    'pt-BR':
      'Quem foi chamado recebe um e-mail, sem o motivo, exceto nos documentos criados sem envio de e-mail.',
  },
  cancelIsNotTold: {
    en: 'Nobody gets a mail of it: mail is off in your organization.',
    'pt-BR': 'Ninguém recebe e-mail sobre isso: o e-mail está desligado na sua organização.',
  },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  nothingSelected: { en: 'Nothing was selected.', 'pt-BR': 'Nada foi selecionado.' },
  done: { en: 'Done with all of them.', 'pt-BR': 'Feito em todos.' },
  partly: {
    en: 'Done with some of them. The others are as they were: a document that has ended is neither canceled nor reminded of, and nobody gets two mails within an hour.',
    'pt-BR':
      'Feito em parte deles. Os outros estão como estavam: documento encerrado não é cancelado nem lembrado, e ninguém recebe dois e-mails em uma hora.',
  },
  none: {
    en: 'Nothing was done: a document that has ended is neither canceled nor reminded of, nobody gets two mails within an hour, and without mail or an address nobody is reminded.',
    'pt-BR':
      'Nada foi feito: documento encerrado não é cancelado nem lembrado, ninguém recebe dois e-mails em uma hora, e sem e-mail ninguém é lembrado.',
  },
  folderMade: { en: 'The folder was created.', 'pt-BR': 'A pasta foi criada.' },
  sent: {
    en: 'It is sent. You can follow it here.',
    'pt-BR': 'Foi enviado. Você pode acompanhar aqui.',
  },
  deleted: { en: 'The document was deleted.', 'pt-BR': 'O documento foi excluído.' },
});

/** The names of the states of documents. */
export const stateWords = translations({
  Pending: { en: 'In progress', 'pt-BR': 'Em andamento' },
  FlowConcluded: { en: 'Being concluded', 'pt-BR': 'Sendo concluído' },
  Concluded: { en: 'Concluded', 'pt-BR': 'Concluído' },
  Refused: { en: 'Refused', 'pt-BR': 'Recusado' },
  Canceled: { en: 'Canceled', 'pt-BR': 'Cancelado' },
  Expired: { en: 'Expired', 'pt-BR': 'Vencido' },
});

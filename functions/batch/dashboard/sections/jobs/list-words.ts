import { translations } from '../../../../../shared/ui/translations.ts';

export const listWords = translations({
  title: { en: 'Jobs', 'pt-BR': 'Trabalhos' },
  upload: { en: 'Upload files', 'pt-BR': 'Enviar arquivos' },

  filters: { en: 'Filters', 'pt-BR': 'Filtros' },
  text: { en: 'File, id, reference', 'pt-BR': 'Arquivo, id, referência' },
  status: { en: 'Status', 'pt-BR': 'Status' },
  profile: { en: 'Profile', 'pt-BR': 'Perfil' },
  source: { en: 'Source', 'pt-BR': 'Origem' },
  from: { en: 'Created from', 'pt-BR': 'Criado de' },
  to: { en: 'Created to', 'pt-BR': 'Criado até' },
  sort: { en: 'Order', 'pt-BR': 'Ordem' },
  failedFrom: { en: 'Failed from', 'pt-BR': 'Falhou de' },
  failedTo: { en: 'Failed to', 'pt-BR': 'Falhou até' },
  moreFilters: { en: 'More filters', 'pt-BR': 'Mais filtros' },
  onlyFailed: {
    en: 'Only failed jobs have a time of failure. Choose Failed, or any.',
    'pt-BR': 'Só trabalhos que falharam têm hora da falha. Escolha Falhou ou qualquer.',
  },
  any: { en: 'Any', 'pt-BR': 'Qualquer' },
  search: { en: 'Search', 'pt-BR': 'Buscar' },
  clear: { en: 'Show all', 'pt-BR': 'Mostrar todos' },
  unknownValue: {
    en: 'There is no such value. Choose one of the list.',
    'pt-BR': 'Esse valor não existe. Escolha um da lista.',
  },
  unknownProfile: {
    en: 'No profile has this name, and none that has jobs.',
    'pt-BR': 'Nenhum perfil tem este nome, nem um que tenha trabalhos.',
  },
  textTooLong: {
    en: 'At most 200 characters can be searched for.',
    'pt-BR': 'É possível buscar até 200 caracteres.',
  },
  noDate: { en: 'This is not a date.', 'pt-BR': 'Isso não é uma data.' },
  endsBefore: { en: 'The range ends before it begins.', 'pt-BR': 'O período termina antes de começar.' },
  tooMany: {
    en: 'Text and source, and a profile together with an error or a failure, are searched in at most 100,000 jobs. Choose a shorter range of days.',
    'pt-BR':
      'Texto e origem, e um perfil junto com um erro ou uma falha, são buscados em até 100.000 trabalhos. Escolha um período mais curto.',
  },

  found: {
    en: (count: string, isOne: boolean) => `${count} ${isOne ? 'job' : 'jobs'}`,
    'pt-BR': (count: string, isOne: boolean) => `${count} ${isOne ? 'trabalho' : 'trabalhos'}`,
  },
  none: { en: 'There are no jobs yet.', 'pt-BR': 'Ainda não há trabalhos.' },
  noneFound: { en: 'No job matches.', 'pt-BR': 'Nenhum trabalho encontrado.' },
  pageEmpty: {
    en: 'The list has no such page any more.',
    'pt-BR': 'A lista já não tem essa página.',
  },
  workbook: { en: 'Workbook of this list (.xlsx)', 'pt-BR': 'Planilha desta lista (.xlsx)' },

  select: { en: 'Select', 'pt-BR': 'Selecionar' },
  selectJob: {
    en: (name: string) => `Select ${name}`,
    'pt-BR': (name: string) => `Selecionar ${name}`,
  },
  selectPage: { en: 'Select this page', 'pt-BR': 'Selecionar esta página' },
  selected: { en: 'Selected:', 'pt-BR': 'Selecionados:' },
  selectedFiles: { en: 'Signed files (.zip)', 'pt-BR': 'Arquivos assinados (.zip)' },
  selectedWorkbook: { en: 'Workbook (.xlsx)', 'pt-BR': 'Planilha (.xlsx)' },
  selectionHint: {
    en: 'A ZIP file holds the files of at most 50 jobs.',
    'pt-BR': 'Um arquivo ZIP tem os arquivos de até 50 trabalhos.',
  },
  withoutFile: {
    en: (count: string, isOne: boolean) =>
      isOne
        ? 'One of the selected jobs has no signed file to download:'
        : `${count} of the selected jobs have no signed file to download:`,
    'pt-BR': (count: string, isOne: boolean) =>
      isOne
        ? 'Um dos trabalhos selecionados não tem arquivo assinado para baixar:'
        : `${count} dos trabalhos selecionados não têm arquivo assinado para baixar:`,
  },
  andOthers: {
    en: (count: string) => `and ${count} more`,
    'pt-BR': (count: string) => `e mais ${count}`,
  },
  otherFiles: {
    en: (count: string, isOne: boolean) =>
      isOne ? 'Download the file of the other one (.zip)' : `Download the files of the other ${count} (.zip)`,
    'pt-BR': (count: string, isOne: boolean) =>
      isOne ? 'Baixar o arquivo do outro (.zip)' : `Baixar os arquivos dos outros ${count} (.zip)`,
  },
  noFiles: {
    en: 'There is nothing to download. Select jobs that are completed.',
    'pt-BR': 'Não há nada para baixar. Selecione trabalhos concluídos.',
  },

  file: { en: 'File', 'pt-BR': 'Arquivo' },
  created: { en: 'Created', 'pt-BR': 'Criado' },
  updated: { en: 'Changed', 'pt-BR': 'Alterado' },
  error: { en: 'Error', 'pt-BR': 'Erro' },
  deleted: {
    en: 'The job was deleted, and its name is free.',
    'pt-BR': 'O trabalho foi excluído, e o nome dele está livre.',
  },
});

export const sortWords = translations({
  newest: { en: 'Newest first', 'pt-BR': 'Mais novos primeiro' },
  oldest: { en: 'Oldest first', 'pt-BR': 'Mais antigos primeiro' },
  lastFailed: { en: 'Last failed first', 'pt-BR': 'Últimas falhas primeiro' },
  firstFailed: { en: 'First failed first', 'pt-BR': 'Primeiras falhas primeiro' },
});

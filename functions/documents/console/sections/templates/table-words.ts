import { translations } from '../../../../../shared/ui/translations.ts';

/** The texts of documents for a table of people. */
export const tableWords = translations({
  title: {
    en: (name: string) => `${name}: for many people`,
    'pt-BR': (name: string) => `${name}: para muitas pessoas`,
  },
  heading: { en: 'For many people', 'pt-BR': 'Para muitas pessoas' },
  needs: {
    en: 'Choose two files: a CSV file with the people, and the file that they sign. Its fields, or the names in double braces of a text, are filled in with the columns.',
    'pt-BR':
      'Escolha dois arquivos: um CSV com as pessoas e o arquivo que elas assinam. Seus campos, ou os nomes entre chaves duplas de um texto, são preenchidos com as colunas.',
  },
  columnsNeeded: { en: 'Columns that the template asks for', 'pt-BR': 'Colunas que o modelo pede' },
  noColumns: { en: 'None.', 'pt-BR': 'Nenhuma.' },
  sheet: { en: 'Download an empty sheet', 'pt-BR': 'Baixar planilha vazia' },
  table: { en: 'People', 'pt-BR': 'Pessoas' },
  form: { en: 'File to sign', 'pt-BR': 'Arquivo a assinar' },
  notYet: { en: 'not chosen yet', 'pt-BR': 'ainda não escolhido' },
  preview: { en: 'The first lines', 'pt-BR': 'As primeiras linhas' },
  lines: {
    en: (count: string) => `Lines: ${count}. Each becomes a document.`,
    'pt-BR': (count: string) => `Linhas: ${count}. Cada uma vira um documento.`,
  },
  broken: {
    en: (count: string) => `Not readable, and refused: ${count}.`,
    'pt-BR': (count: string) => `Ilegíveis, que serão recusadas: ${count}.`,
  },
  missing: {
    en: (names: string) => `The file has no column for: ${names}. Add them and choose it again.`,
    'pt-BR': (names: string) => `O arquivo não tem coluna para: ${names}. Acrescente e escolha de novo.`,
  },
  ignored: {
    en: (names: string) => `Nothing uses these columns: ${names}.`,
    'pt-BR': (names: string) => `Nada usa estas colunas: ${names}.`,
  },
  notALine: { en: 'cannot be read', 'pt-BR': 'não pode ser lida' },
  line: { en: 'Line', 'pt-BR': 'Linha' },
  folder: { en: 'Folder', 'pt-BR': 'Pasta' },
  noFolder: { en: 'No folder', 'pt-BR': 'Sem pasta' },
  start: {
    en: (count: number, text: string) => (count === 1 ? 'Send 1 document' : `Send ${text} documents`),
    'pt-BR': (count: number, text: string) =>
      count === 1 ? 'Enviar 1 documento' : `Enviar ${text} documentos`,
  },
  throwAway: { en: 'Throw this away', 'pt-BR': 'Descartar isto' },
  throwAwayExplained: { en: 'Nothing was sent.', 'pt-BR': 'Nada foi enviado.' },

  started: { en: 'It has begun. You may leave this page.', 'pt-BR': 'Começou. Você pode sair desta página.' },
  stopped: {
    en: 'No further document is made. Those that were made stay.',
    'pt-BR': 'Nenhum outro documento é feito. Os que foram feitos continuam.',
  },
  resumed: { en: 'It goes on with the lines that are left.', 'pt-BR': 'Continua com as linhas que faltam.' },
  Pending: { en: 'Waits', 'pt-BR': 'Aguarda' },
  Init: { en: 'In progress', 'pt-BR': 'Em andamento' },
  Canceling: { en: 'Being stopped', 'pt-BR': 'Sendo parado' },
  Canceled: { en: 'Stopped', 'pt-BR': 'Parado' },
  Completed: { en: 'Done', 'pt-BR': 'Pronto' },
  Done: { en: 'Done, with refused lines', 'pt-BR': 'Pronto, com linhas recusadas' },
  Error: { en: 'All lines were refused', 'pt-BR': 'Todas as linhas foram recusadas' },
  progress: {
    en: (done: string, all: string) => `${done} of ${all} lines`,
    'pt-BR': (done: string, all: string) => `${done} de ${all} linhas`,
  },
  made: { en: 'Documents', 'pt-BR': 'Documentos' },
  refused: { en: 'Refused lines', 'pt-BR': 'Linhas recusadas' },
  left: { en: 'Lines left', 'pt-BR': 'Linhas que faltam' },
  begun: { en: 'Begun', 'pt-BR': 'Começou' },
  stop: { en: 'Stop', 'pt-BR': 'Parar' },
  goOn: { en: 'Go on', 'pt-BR': 'Continuar' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  download: { en: 'Download all refused lines', 'pt-BR': 'Baixar todas as linhas recusadas' },
  correct: {
    en: 'Correct these lines in your file, and send them alone as another file.',
    'pt-BR': 'Corrija estas linhas no seu arquivo e envie-as sozinhas em outro arquivo.',
  },
  documents: { en: 'See the documents', 'pt-BR': 'Ver os documentos' },
});

import { translations } from '../../../../../../shared/ui/translations.ts';

/** The texts of lists of items, and of the page of one. */
export const itemWords = translations({
  search: { en: 'Search', 'pt-BR': 'Buscar' },
  searchHint: { en: 'Name, CPF or code', 'pt-BR': 'Nome, CPF ou código' },
  state: { en: 'State', 'pt-BR': 'Situação' },
  anyState: { en: 'All', 'pt-BR': 'Todas' },
  withProblem: { en: 'Only with problems', 'pt-BR': 'Só com problemas' },
  institute: { en: 'Institute', 'pt-BR': 'Instituição' },
  problems: { en: 'These need you', 'pt-BR': 'Precisam de você' },
  allProblems: {
    en: (count: string) => `Show all ${count} with problems`,
    'pt-BR': (count: string) => `Mostrar todos os ${count} com problemas`,
  },
  nothingFound: {
    en: 'Nothing matches. Change the search, or show all.',
    'pt-BR': 'Nada corresponde. Mude a busca, ou mostre todos.',
  },
  showAll: { en: 'Show all', 'pt-BR': 'Mostrar todos' },
  tooWide: {
    en: 'There are too many to search through. Choose a state.',
    'pt-BR': 'São muitos para a busca. Escolha uma situação.',
  },
  byLines: { en: 'Create by a file of lines', 'pt-BR': 'Criar por arquivo de linhas' },
  name: { en: 'Name', 'pt-BR': 'Nome' },
  signatures: { en: 'Signatures', 'pt-BR': 'Assinaturas' },
  progress: {
    en: (done: number, all: number) => `${done} of ${all}`,
    'pt-BR': (done: number, all: number) => `${done} de ${all}`,
  },
  changed: { en: 'Changed', 'pt-BR': 'Alterado' },
  created: { en: 'Created', 'pt-BR': 'Criado' },
  by: { en: (name: string) => `by ${name}`, 'pt-BR': (name: string) => `por ${name}` },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  cancellationReason: { en: 'Reason of the annulment', 'pt-BR': 'Motivo da anulação' },
  files: { en: 'Files and signatures', 'pt-BR': 'Arquivos e assinaturas' },
  noFiles: { en: 'It has no file yet.', 'pt-BR': 'Ainda não tem arquivo.' },
  signedFile: { en: 'Download the signed file', 'pt-BR': 'Baixar o arquivo assinado' },
  original: { en: 'Download the original', 'pt-BR': 'Baixar o original' },
  token: { en: 'Download the timestamp', 'pt-BR': 'Baixar o carimbo' },
  notHandedOver: { en: 'On its way to the signers.', 'pt-BR': 'A caminho de quem assina.' },
  signPage: {
    en: (name: string) => `Signing page of ${name}`,
    'pt-BR': (name: string) => `Página de assinatura de ${name}`,
  },
  signedAt: { en: 'Signed', 'pt-BR': 'Assinado em' },
  history: { en: 'History', 'pt-BR': 'Histórico' },
  actions: { en: 'What you can do', 'pt-BR': 'O que você pode fazer' },
  nothingToDo: { en: 'Nothing more can be done with it.', 'pt-BR': 'Não há mais o que fazer com ele.' },
  verification: { en: 'Verification page', 'pt-BR': 'Página de verificação' },
  related: { en: 'Belongs together with', 'pt-BR': 'Ligado a' },
  resend: { en: 'Send the webhook again', 'pt-BR': 'Enviar o webhook de novo' },
  resendMeans: {
    en: 'Your system is told the present state once more.',
    'pt-BR': 'Seu sistema é avisado da situação atual mais uma vez.',
  },
  handOver: { en: 'Have it signed again', 'pt-BR': 'Pedir as assinaturas de novo' },
  handOverMeans: {
    en: 'The file goes to the people who sign for the institute as a new document.',
    'pt-BR': 'O arquivo vai para quem assina pela instituição como um novo documento.',
  },
  restamp: { en: 'Stamp again', 'pt-BR': 'Carimbar de novo' },
  problem: { en: 'Problem', 'pt-BR': 'Problema' },
  // What forms have done.
  doneCreated: {
    en: 'It is created. Its files are on their way to the people who sign.',
    'pt-BR': 'Foi criado. Os arquivos estão a caminho de quem assina.',
  },
  doneChanged: { en: 'Done. The history says it.', 'pt-BR': 'Feito. O histórico registra.' },
  doneResent: { en: 'The webhook is on its way again.', 'pt-BR': 'O webhook está a caminho de novo.' },
  doneHandedOver: {
    en: 'The file is on its way to the people who sign.',
    'pt-BR': 'O arquivo está a caminho de quem assina.',
  },
  save: { en: 'Create', 'pt-BR': 'Criar' },
  back: { en: 'Back', 'pt-BR': 'Voltar' },
  noInstitute: {
    en: 'Your organization has no institute. An operator creates one: npm run admin -- institutes create.',
    'pt-BR':
      'Sua organização não tem instituição. Quem opera o serviço cria: npm run admin -- institutes create.',
  },
  ownFiles: { en: 'Your own XML files', 'pt-BR': 'Seus próprios arquivos XML' },
  ownFilesHint: {
    en: 'All or none, up to 1 MB each. Without them the files are written of these fields.',
    'pt-BR': 'Todos ou nenhum, até 1 MB cada. Sem eles, os arquivos são escritos a partir destes campos.',
  },
});

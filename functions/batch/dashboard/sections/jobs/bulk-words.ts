import { translations } from '../../../../../shared/ui/translations.ts';

const jobsIn = {
  en: (count: string, isOne: boolean) => `${count} ${isOne ? 'job' : 'jobs'}`,
  'pt-BR': (count: string, isOne: boolean) => `${count} ${isOne ? 'trabalho' : 'trabalhos'}`,
};

export const bulkWords = translations({
  jobs: jobsIn,
  recent: { en: 'Actions on many jobs', 'pt-BR': 'Ações em muitos trabalhos' },
  back: { en: 'Back to the list', 'pt-BR': 'Voltar à lista' },
  question: {
    en: (verb: string, jobs: string) => `${verb} ${jobs}?`,
    'pt-BR': (verb: string, jobs: string) => `${verb} ${jobs}?`,
  },
  later: {
    en: 'Jobs that come later, and those that no longer match when their turn comes, are left alone.',
    'pt-BR':
      'Trabalhos que chegarem depois, e os que já não corresponderem quando chegar a vez, não são alterados.',
  },
  nothing: {
    en: 'No job of this list can be taken. Nothing is to be done.',
    'pt-BR': 'Nenhum trabalho desta lista pode ser alterado. Não há nada a fazer.',
  },
  filters: { en: 'Filters', 'pt-BR': 'Filtros' },
  allJobs: { en: 'None: every job that can be taken.', 'pt-BR': 'Nenhum: todo trabalho possível.' },
  action: { en: 'Action', 'pt-BR': 'Ação' },
  state: { en: 'State', 'pt-BR': 'Situação' },
  started: { en: 'Started', 'pt-BR': 'Início' },
  ended: { en: 'Ended', 'pt-BR': 'Fim' },
  by: { en: 'By', 'pt-BR': 'Por' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  expected: { en: 'Jobs that matched', 'pt-BR': 'Trabalhos que correspondiam' },
  done: { en: 'Done', 'pt-BR': 'Feitos' },
  skipped: { en: 'No longer matched', 'pt-BR': 'Já não correspondiam' },
  refused: { en: 'Not possible', 'pt-BR': 'Não foi possível' },
  why: { en: 'Why', 'pt-BR': 'Por quê' },
  progress: { en: 'Progress', 'pt-BR': 'Andamento' },
  stop: { en: 'Stop…', 'pt-BR': 'Parar…' },
  stopMeans: {
    en: 'What was done stays done. The other jobs are left alone.',
    'pt-BR': 'O que foi feito permanece. Os outros trabalhos não são alterados.',
  },
  stopNow: { en: 'Stop this action', 'pt-BR': 'Parar esta ação' },
  stopped: { en: 'The action was stopped.', 'pt-BR': 'A ação foi parada.' },
  goesOn: {
    en: 'It goes on in the background: you may leave this page.',
    'pt-BR': 'Ela continua em segundo plano: você pode sair desta página.',
  },
  none: {
    en: 'There was none in the last 30 days. Filter the list of jobs, then retry, cancel or delete all of them.',
    'pt-BR':
      'Não houve nenhuma nos últimos 30 dias. Filtre a lista de trabalhos e depois repita, cancele ou exclua todos.',
  },
});

export const bulkLinkWords = translations({
  retry: { en: 'Retry all…', 'pt-BR': 'Repetir todos…' },
  cancel: { en: 'Cancel all…', 'pt-BR': 'Cancelar todos…' },
  delete: { en: 'Delete all…', 'pt-BR': 'Excluir todos…' },
});

export const bulkKindWords = translations({
  retry: { en: 'Retry', 'pt-BR': 'Repetir' },
  cancel: { en: 'Cancel', 'pt-BR': 'Cancelar' },
  delete: { en: 'Delete', 'pt-BR': 'Excluir' },
});

/** What an action means, for whoever confirms it. */
export const bulkMeanings = translations({
  retry: {
    en: 'A new job signs the input of each. The failed ones stay as they are. One that was retried before is not retried again.',
    'pt-BR':
      'Um novo trabalho assina a entrada de cada um. Os que falharam continuam como estão. O que já foi repetido não é repetido de novo.',
  },
  cancel: {
    en: 'None of them will be signed. This cannot be undone; the input files stay where they are.',
    'pt-BR':
      'Nenhum deles será assinado. Isso não pode ser desfeito; os arquivos de entrada ficam onde estão.',
  },
  delete: {
    en: 'The jobs and their histories are deleted for good, and files of these names can be signed again. Their files stay until the cleanup.',
    'pt-BR':
      'Os trabalhos e os históricos são excluídos para sempre, e arquivos com estes nomes poderão ser assinados de novo. Os arquivos deles ficam até a limpeza.',
  },
});

export const bulkStateWords = translations({
  Running: { en: 'Running', 'pt-BR': 'Em andamento' },
  Done: { en: 'Done', 'pt-BR': 'Concluída' },
  Stopped: { en: 'Stopped', 'pt-BR': 'Parada' },
});

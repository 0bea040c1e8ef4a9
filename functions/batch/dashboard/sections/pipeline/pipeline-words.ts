import { translations } from '../../../../../shared/ui/translations.ts';

export const pipelineWords = translations({
  title: { en: 'Pipeline', 'pt-BR': 'Processamento' },
  state: { en: 'State', 'pt-BR': 'Estado' },
  running: { en: 'Running', 'pt-BR': 'Em execução' },
  runningHint: { en: 'Jobs are picked up as they arrive.', 'pt-BR': 'Os trabalhos são iniciados ao chegar.' },
  paused: { en: 'Paused', 'pt-BR': 'Pausado' },
  pausedHint: {
    en: 'No job is picked up until the pipeline is resumed. Jobs in flight finish.',
    'pt-BR': 'Nenhum trabalho começa até ser retomado. Os que estão em andamento terminam.',
  },
  since: { en: 'Since', 'pt-BR': 'Desde' },
  by: { en: 'Paused by', 'pt-BR': 'Pausado por' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  reasonHint: {
    en: 'Optional. It is recorded in the events with your name.',
    'pt-BR': 'Opcional. Fica registrado nos eventos com o seu nome.',
  },
  inFlight: { en: 'In flight', 'pt-BR': 'Em andamento' },
  of: {
    en: (count: string, max: string) => `${count} (up to ${max} per instance)`,
    'pt-BR': (count: string, max: string) => `${count} (até ${max} por instância)`,
  },
  pause: { en: 'Pause', 'pt-BR': 'Pausar' },
  resume: { en: 'Resume', 'pt-BR': 'Retomar' },
  pausedDone: { en: 'The pipeline is paused.', 'pt-BR': 'O processamento está pausado.' },
  resumedDone: { en: 'The pipeline runs again.', 'pt-BR': 'O processamento foi retomado.' },
  cleanup: { en: 'Cleanup', 'pt-BR': 'Limpeza' },
  cleanupHint: {
    en: 'Deletes what is older than the settings of retention say, as every night does.',
    'pt-BR': 'Exclui o que é mais antigo do que a retenção configurada, como toda noite.',
  },
  jobDays: { en: 'Ended jobs are kept', 'pt-BR': 'Trabalhos terminados ficam' },
  outputDays: { en: 'Signed files are kept', 'pt-BR': 'Arquivos assinados ficam' },
  errorDays: { en: 'Refused files are kept', 'pt-BR': 'Arquivos recusados ficam' },
  eventDays: { en: 'Events are kept', 'pt-BR': 'Eventos ficam' },
  days: {
    en: (days: string) => (days === '0' ? 'forever' : `${days} days`),
    'pt-BR': (days: string) => (days === '0' ? 'para sempre' : `${days} dias`),
  },
  cleanupStart: { en: 'Clean up now…', 'pt-BR': 'Limpar agora…' },
  cleanupMeans: {
    en: 'Old jobs, files and events are deleted. This cannot be undone.',
    'pt-BR': 'Trabalhos, arquivos e eventos antigos são excluídos. Isso não pode ser desfeito.',
  },
  cleanupNow: { en: 'Delete what is old', 'pt-BR': 'Excluir o que é antigo' },
  cleaned: { en: 'Cleaned up.', 'pt-BR': 'Limpeza feita.' },
  jobsDeleted: { en: 'Jobs deleted', 'pt-BR': 'Trabalhos excluídos' },
  outputFilesDeleted: { en: 'Signed files deleted', 'pt-BR': 'Arquivos assinados excluídos' },
  errorFilesDeleted: { en: 'Refused files deleted', 'pt-BR': 'Arquivos recusados excluídos' },
  operationalEventsDeleted: { en: 'Events deleted', 'pt-BR': 'Eventos excluídos' },
  filesMissing: { en: 'Files already gone', 'pt-BR': 'Arquivos que já não existiam' },
  errors: { en: 'Errors', 'pt-BR': 'Erros' },
  clear: { en: 'Clear jobs', 'pt-BR': 'Excluir trabalhos' },
  clearHint: {
    en: 'Deletes every completed, failed and canceled job, whatever its age.',
    'pt-BR': 'Exclui todo trabalho concluído, com falha ou cancelado, seja de quando for.',
  },
  clearStart: { en: 'Clear jobs…', 'pt-BR': 'Excluir trabalhos…' },
  clearMeans: {
    en: 'All finished jobs are deleted with their history, and their names are free again. Files stay. This cannot be undone.',
    'pt-BR':
      'Todos os trabalhos terminados são excluídos com seu histórico, e seus nomes ficam livres. Os arquivos ficam. Isso não pode ser desfeito.',
  },
  clearNow: { en: 'Delete all finished jobs', 'pt-BR': 'Excluir todos os terminados' },
  cleared: { en: 'Jobs cleared.', 'pt-BR': 'Trabalhos excluídos.' },
  deleted: { en: 'Deleted', 'pt-BR': 'Excluídos' },
  skipped: { en: 'Kept, since they are not finished', 'pt-BR': 'Mantidos, pois não terminaram' },
  goesOn: {
    en: 'The rest, if there is much, is deleted in the background.',
    'pt-BR': 'O resto, se for muito, é excluído em segundo plano.',
  },
});

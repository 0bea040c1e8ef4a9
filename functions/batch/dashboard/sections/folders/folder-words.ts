import { translations } from '../../../../../shared/ui/translations.ts';

export const folderWords = translations({
  title: { en: 'Input folders', 'pt-BR': 'Pastas de entrada' },
  hint: {
    en: 'Files that arrive here become jobs. A rescan also runs failed and canceled files again.',
    'pt-BR':
      'Os arquivos que chegam aqui viram trabalhos. Uma nova varredura também repete os que falharam ou foram cancelados.',
  },
  none: {
    en: 'There are no input folders. The setting Storage:Inputs names them.',
    'pt-BR': 'Não há pastas de entrada. A configuração Storage:Inputs as define.',
  },
  folder: { en: 'Folder', 'pt-BR': 'Pasta' },
  status: { en: 'Status', 'pt-BR': 'Status' },
  Running: { en: 'Watched', 'pt-BR': 'Monitorada' },
  Stopped: { en: 'Stopped', 'pt-BR': 'Parada' },
  Unassigned: { en: 'No profile', 'pt-BR': 'Sem perfil' },
  profile: { en: 'Profile', 'pt-BR': 'Perfil' },
  instance: { en: 'by instance', 'pt-BR': 'pela instância' },
  waiting: { en: 'Waiting', 'pt-BR': 'Esperando' },
  orMore: { en: (count: string) => `${count} or more`, 'pt-BR': (count: string) => `${count} ou mais` },
  processed: { en: 'Processed', 'pt-BR': 'Processados' },
  lastEnqueue: { en: 'Last file', 'pt-BR': 'Último arquivo' },
  lastError: { en: 'Last error', 'pt-BR': 'Último erro' },
  actions: { en: 'Actions', 'pt-BR': 'Ações' },
  rescan: { en: 'Rescan', 'pt-BR': 'Varrer' },
  rescanAll: { en: 'Rescan all', 'pt-BR': 'Varrer todas' },
  rescanned: { en: 'Rescanned.', 'pt-BR': 'Varredura feita.' },
  scanned: { en: 'Files found', 'pt-BR': 'Arquivos encontrados' },
  enqueued: { en: 'New jobs', 'pt-BR': 'Novos trabalhos' },
  alreadyActive: { en: 'Already at work', 'pt-BR': 'Já em andamento' },
  ignored: { en: 'Ignored', 'pt-BR': 'Ignorados' },
  errors: { en: 'Errors', 'pt-BR': 'Erros' },
  goesOn: {
    en: 'Folders without a profile are not scanned, and a long rescan goes on in the background.',
    'pt-BR': 'Pastas sem perfil não são varridas, e uma varredura longa continua em segundo plano.',
  },
});

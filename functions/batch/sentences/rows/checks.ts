/** What checks of the service's health find. Values are in braces. */
export const checkRows = {
  'check.certificate-expired': {
    en: 'Its certificate expired on {date}. Give it a new key.',
    'pt-BR': 'O certificado venceu em {date}. Dê ao perfil uma nova chave.',
  },
  'check.certificate-not-yet-valid': {
    en: 'Its certificate is not valid before {date}. Wait, or give it another key.',
    'pt-BR': 'O certificado só vale a partir de {date}. Espere ou dê ao perfil outra chave.',
  },
  'check.certificate-expires-tomorrow': {
    en: 'Its certificate expires on {date}, in 1 day. Give it a new key before.',
    'pt-BR': 'O certificado vence em {date}, em 1 dia. Dê ao perfil uma nova chave antes.',
  },
  'check.certificate-expires-soon': {
    en: 'Its certificate expires on {date}, in {days} days. Give it a new key before.',
    'pt-BR': 'O certificado vence em {date}, em {days} dias. Dê ao perfil uma nova chave antes.',
  },
  'check.keyless': {
    en: 'The approvers sign its files with their own certificates. It needs no key.',
    'pt-BR': 'Os aprovadores assinam os arquivos com os próprios certificados. Não precisa de chave.',
  },
  'check.store-answers': {
    en: 'The operational store answers.',
    'pt-BR': 'O armazenamento responde.',
  },
  'check.store-missed-at-start': {
    en: 'The operational store did not answer when this instance started. Restart it.',
    'pt-BR': 'O armazenamento não respondeu quando esta instância iniciou. Reinicie-a.',
  },
  'check.folder-running': {
    en: 'A profile signs its files, and no scan fails.',
    'pt-BR': 'Um perfil assina os arquivos, e nenhuma varredura falha.',
  },
  'check.folder-stopped': { en: 'Its last scan failed.', 'pt-BR': 'A última varredura falhou.' },
  'check.folder-unassigned': {
    en: 'No profile signs its files. Nothing scans it without one.',
    'pt-BR': 'Nenhum perfil assina os arquivos. Sem um, nada a varre.',
  },
  'check.folder-not-configured': {
    en: 'Storage:Inputs has no folder {folder}.',
    'pt-BR': 'Storage:Inputs não tem a pasta {folder}.',
  },
  'check.share-absent': {
    en: 'It is absent: there is no share {share}.',
    'pt-BR': 'Está ausente: não existe o compartilhamento {share}.',
  },
  'check.share-answers': { en: 'The share answers.', 'pt-BR': 'O compartilhamento responde.' },
  'check.share-held': {
    en: 'This installation holds it; its instance {instance} claimed it at {time}.',
    'pt-BR': 'Esta instalação o detém; a instância {instance} o assumiu em {time}.',
  },
  'check.no-secret': {
    en: 'Signer:WebhookSecret is not set: no notification is taken.',
    'pt-BR': 'Signer:WebhookSecret não está definido: nenhuma notificação é recebida.',
  },
  'check.no-notification': {
    en: 'Signer:WebhookSecret is set. No authenticated notification has arrived.',
    'pt-BR': 'Signer:WebhookSecret está definido. Nenhuma notificação autenticada chegou.',
  },
  'check.last-notification': {
    en: 'Signer:WebhookSecret is set. The last authenticated notification arrived at {time}, or less than a minute later.',
    'pt-BR':
      'Signer:WebhookSecret está definido. A última notificação autenticada chegou em {time}, ou menos de um minuto depois.',
  },
  'check.no-pass': { en: 'No pass has been made.', 'pt-BR': 'Nenhuma verificação foi feita.' },
  'check.pass-clean': { en: 'The last pass was clean.', 'pt-BR': 'A última verificação não teve erros.' },
  'check.pass-failed': {
    en: 'The last pass failed: {error}',
    'pt-BR': 'A última verificação falhou: {error}',
  },
  'check.passes-failed': {
    en: 'The last {count} passes failed: {error}',
    'pt-BR': 'As últimas {count} verificações falharam: {error}',
  },
  'check.log-says': { en: 'the log says why', 'pt-BR': 'o log diz por quê' },
  'check.no-heartbeat': {
    en: 'The instance {name} has sent no heartbeat yet.',
    'pt-BR': 'A instância {name} ainda não enviou sinal de vida.',
  },
  'check.last-heartbeat': {
    en: 'The last heartbeat of the instance {name} was at {time}.',
    'pt-BR': 'O último sinal de vida da instância {name} foi em {time}.',
  },
  'check.stood-down': {
    en: 'The instance {name} has stood down: its last heartbeat reached the store at {time}, more than {seconds} s ago. It claims no jobs, and another instance takes over those that it had. The log says why heartbeats fail; it resumes by itself when one succeeds.',
    'pt-BR':
      'A instância {name} foi suspensa: o último sinal de vida chegou ao armazenamento em {time}, há mais de {seconds} s. Ela não recebe trabalhos, e outra instância assume os que ela tinha. O log diz por que os sinais falham; ela volta sozinha quando um chegar.',
  },
} as const;

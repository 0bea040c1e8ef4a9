import { translations } from '../../../../../shared/ui/translations.ts';
import type { MetricName } from '../../../operations/domain/metrics-table.ts';

/** The metrics in words. */
export const metricWords = translations({
  bulk_jobs_enqueued_total: { en: 'Jobs by input folder', 'pt-BR': 'Trabalhos por pasta de entrada' },
  bulk_jobs_completed_total: { en: 'Completed', 'pt-BR': 'Concluídos' },
  bulk_jobs_failed_total: { en: 'Failed', 'pt-BR': 'Com falha' },
  bulk_jobs_canceled_total: { en: 'Canceled', 'pt-BR': 'Cancelados' },
  bulk_jobs_verify_skipped_total: {
    en: 'Signed without verification, by profile',
    'pt-BR': 'Assinados sem verificação, por perfil',
  },
  bulk_cert_validation_failed_total: {
    en: 'Certificates refused, by profile',
    'pt-BR': 'Certificados recusados, por perfil',
  },
  bulk_pipeline_pause_total: { en: 'Pauses', 'pt-BR': 'Pausas' },
  bulk_pipeline_resume_total: { en: 'Resumptions', 'pt-BR': 'Retomadas' },
  bulk_pipeline_paused: { en: 'Pipeline paused', 'pt-BR': 'Processamento pausado' },
  bulk_files_encrypted_total: { en: 'Files encrypted', 'pt-BR': 'Arquivos cifrados' },
  bulk_jobs_in_flight: { en: 'In flight', 'pt-BR': 'Em andamento' },
  bulk_signing_duration_seconds: { en: 'Time to sign', 'pt-BR': 'Tempo para assinar' },
  bulk_jobs_dispatched_to_signer_total: {
    en: 'Sent to signers, by profile',
    'pt-BR': 'Enviados a signatários, por perfil',
  },
  bulk_jobs_awaiting_signer: { en: 'Waiting for signers', 'pt-BR': 'Aguardando signatários' },
  bulk_signer_poll_duration_seconds: {
    en: 'Time to look at all documents',
    'pt-BR': 'Tempo para consultar todos os documentos',
  },
  bulk_signer_api_errors_total: {
    en: 'Errors of the external service',
    'pt-BR': 'Erros do serviço externo',
  },
  bulk_signer_folder_jobs_enqueued_total: {
    en: 'Jobs of signer folders, by profile',
    'pt-BR': 'Trabalhos de pastas de assinatura, por perfil',
  },
  bulk_signer_folder_signatures_total: {
    en: 'Signatures in signer folders',
    'pt-BR': 'Assinaturas em pastas de assinatura',
  },
  bulk_signer_folder_sweep_errors_total: {
    en: 'Failed looks at signer folders',
    'pt-BR': 'Consultas a pastas de assinatura que falharam',
  },
  bulk_signer_notifications_total: { en: 'Notifications received', 'pt-BR': 'Notificações recebidas' },
  bulk_jobs_parked_for_approval_total: {
    en: 'Jobs that needed approval, by profile',
    'pt-BR': 'Trabalhos que precisaram de aprovação, por perfil',
  },
  bulk_jobs_awaiting_approval: { en: 'Waiting for approval', 'pt-BR': 'Aguardando aprovação' },
  bulk_approvals_recorded_total: { en: 'Decisions, by profile', 'pt-BR': 'Decisões, por perfil' },
  bulk_approvals_rejected_total: { en: 'Rejections, by profile', 'pt-BR': 'Rejeições, por perfil' },
  bulk_jobs_released_by_approval_total: {
    en: 'Jobs released, by profile',
    'pt-BR': 'Trabalhos liberados, por perfil',
  },
  bulk_approvals_expired_total: {
    en: 'Approvals expired, by profile',
    'pt-BR': 'Aprovações expiradas, por perfil',
  },
  bulk_jobs_content_changed_total: {
    en: 'Content changed after approval, by profile',
    'pt-BR': 'Conteúdo alterado depois da aprovação, por perfil',
  },
  bulk_inputs_diverged_total: {
    en: 'Inputs changed during their job, by profile',
    'pt-BR': 'Entradas alteradas durante o trabalho, por perfil',
  },
  bulk_cnab240_payment_date_checks_skipped_total: {
    en: 'Remittances without a check of dates, by profile',
    'pt-BR': 'Remessas sem verificação de datas, por perfil',
  },
  bulk_approver_signatures_total: { en: 'Signatures of approvers', 'pt-BR': 'Assinaturas de aprovadores' },
  bulk_second_factor_verifications_total: {
    en: 'Codes of the second factor',
    'pt-BR': 'Códigos do segundo fator',
  },
  bulk_second_factor_enrolments_total: {
    en: 'Second factors enrolled',
    'pt-BR': 'Segundos fatores cadastrados',
  },
  bulk_cluster_instances_live: { en: 'Live instances', 'pt-BR': 'Instâncias ativas' },
  bulk_cluster_instances_stale: { en: 'Stale instances', 'pt-BR': 'Instâncias sem sinal' },
  bulk_backup_runs_total: { en: 'Backups, by result', 'pt-BR': 'Backups, por resultado' },
  bulk_backup_duration_seconds: { en: 'Duration of backups', 'pt-BR': 'Duração dos backups' },
  bulk_backup_last_size_bytes: { en: 'Size of the last backup', 'pt-BR': 'Tamanho do último backup' },
  bulk_backup_last_success_timestamp_seconds: {
    en: 'Last successful backup',
    'pt-BR': 'Último backup com sucesso',
  },
  bulk_backup_prune_failures_total: {
    en: 'Old backups not deleted',
    'pt-BR': 'Backups antigos não excluídos',
  },
  bulk_log_sink_outages_total: { en: 'Outages of the log sink', 'pt-BR': 'Quedas da gravação de logs' },
  bulk_log_sink_dropped_total: { en: 'Log entries dropped', 'pt-BR': 'Entradas de log perdidas' },
} satisfies Record<MetricName, { readonly en: string; readonly 'pt-BR': string }>);

export const metricsPageWords = translations({
  title: { en: 'Metrics', 'pt-BR': 'Métricas' },
  hint: {
    en: 'Counted since the service was installed. The same figures are in GET /api/metrics, for Prometheus, which keeps them over time.',
    'pt-BR':
      'Contados desde a instalação do serviço. Os mesmos números estão em GET /api/metrics, para o Prometheus, que os guarda ao longo do tempo.',
  },
  now: { en: 'Now', 'pt-BR': 'Agora' },
  jobs: { en: 'Jobs', 'pt-BR': 'Trabalhos' },
  approvals: { en: 'Approvals', 'pt-BR': 'Aprovações' },
  signer: { en: 'External signers', 'pt-BR': 'Signatários externos' },
  checks: { en: 'Checks and safety', 'pt-BR': 'Verificações e segurança' },
  operations: { en: 'Operations', 'pt-BR': 'Operação' },
  label: { en: 'What', 'pt-BR': 'O quê' },
  count: { en: 'Count', 'pt-BR': 'Quantidade' },
  totals: { en: 'Totals', 'pt-BR': 'Totais' },
  duration: { en: 'Duration', 'pt-BR': 'Duração' },
  upTo: {
    en: (seconds: string) => `up to ${seconds} s`,
    'pt-BR': (seconds: string) => `até ${seconds} s`,
  },
  longer: { en: 'longer', 'pt-BR': 'mais tempo' },
  observed: {
    en: (count: string, mean: string) => `${count} in all, ${mean} s each on average`,
    'pt-BR': (count: string, mean: string) => `${count} ao todo, ${mean} s cada em média`,
  },
  yes: { en: 'Yes', 'pt-BR': 'Sim' },
  no: { en: 'No', 'pt-BR': 'Não' },
  never: { en: 'Never', 'pt-BR': 'Nunca' },
});

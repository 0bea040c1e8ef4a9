import type { Language } from '../../../../../shared/ui/languages.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';

/** Errors that jobs end with, in the words of an operator: what happened, and what to do. */
const jobErrorWords = translations({
  'job.input-held': {
    en: 'Another process held the input file, so nothing was signed. Retry when it is done with the file.',
    'pt-BR':
      'Outro processo estava usando o arquivo de entrada; nada foi assinado. Repita quando ele terminar.',
  },
  'job.input-changed': {
    en: 'The uploaded file was replaced by its link after the job was created, so nothing was signed. Upload it again.',
    'pt-BR':
      'O arquivo enviado foi substituído pelo seu link depois que o trabalho foi criado; nada foi assinado. Envie-o de novo.',
  },
  'job.input-diverged': {
    en: 'The input file was rewritten while the job ran. The signed file is of the earlier content; the new file was left in place.',
    'pt-BR':
      'O arquivo de entrada foi reescrito durante o trabalho. O arquivo assinado tem o conteúdo anterior; o novo ficou no lugar.',
  },
  'job.input-missing': {
    en: 'The input file was gone before it could be signed. Send it again.',
    'pt-BR': 'O arquivo de entrada sumiu antes da assinatura. Envie-o de novo.',
  },
  'job.interrupted': {
    en: 'The service stopped while it worked on the job. Check the input file, then retry.',
    'pt-BR': 'O serviço parou enquanto processava o trabalho. Confira o arquivo de entrada e repita.',
  },
  'job.certificate-invalid': {
    en: 'The certificate of the profile is not valid. Import a valid one into the profile, then retry.',
    'pt-BR': 'O certificado do perfil não é válido. Importe um certificado válido no perfil e repita.',
  },
  'job.signing-failed': {
    en: 'The file could not be signed. The recorded message says why.',
    'pt-BR': 'Não foi possível assinar o arquivo. A mensagem registrada diz por quê.',
  },
  'job.verification-failed': {
    en: 'The signed file did not pass its verification and was not released.',
    'pt-BR': 'O arquivo assinado não passou na verificação e não foi liberado.',
  },
  'job.already-processing': {
    en: 'Another job has the same file. Wait until it ends, then retry.',
    'pt-BR': 'Outro trabalho está com o mesmo arquivo. Espere até ele terminar e repita.',
  },
  'file.already-processed': {
    en: 'A completed or active job has this file name already. Delete that job, or rename the file.',
    'pt-BR':
      'Um trabalho concluído ou em andamento já tem este nome de arquivo. Exclua esse trabalho ou renomeie o arquivo.',
  },
  'job.path-too-long': {
    en: 'The path of the file is longer than 850 characters. Shorten its name.',
    'pt-BR': 'O caminho do arquivo tem mais de 850 caracteres. Encurte o nome.',
  },
  'profile.degraded': {
    en: 'The profile cannot sign: its certificate or its secrets do not open. Look at the profile, then retry.',
    'pt-BR': 'O perfil não consegue assinar: o certificado ou os segredos não abrem. Veja o perfil e repita.',
  },
  'profile.key-unavailable': {
    en: 'This instance has no key of the profile. Import the key into the profile, then retry.',
    'pt-BR': 'Esta instância não tem a chave do perfil. Importe a chave no perfil e repita.',
  },
  'signer-folder.no-holder-action': {
    en: 'The document asks nothing of the certificate holder.',
    'pt-BR': 'O documento não pede nada do titular do certificado.',
  },
  'signer-folder.signature-refused': {
    en: 'The signature platform refused the signature.',
    'pt-BR': 'A plataforma de assinatura recusou a assinatura.',
  },
  'signer-folder.key-unavailable': {
    en: 'The key of the profile did not sign. The document is untouched.',
    'pt-BR': 'A chave do perfil não assinou. O documento continua intacto.',
  },
  'signer-folder.interrupted': {
    en: 'The run ended after the key was used, and nobody knows how. Look at the document on the platform before you retry.',
    'pt-BR':
      'A execução terminou depois do uso da chave, sem resposta certa. Veja o documento na plataforma antes de repetir.',
  },
  'signer-folder.signature-failed': {
    en: 'The document of the folder was not signed.',
    'pt-BR': 'O documento da pasta não foi assinado.',
  },
  'signer.document-rejected': {
    en: 'The signature platform says that the document was refused, has expired or was canceled.',
    'pt-BR': 'A plataforma de assinatura informa que o documento foi recusado, expirou ou foi cancelado.',
  },
  'signer.timeout': {
    en: 'The signers took longer than the service waits for them.',
    'pt-BR': 'Os signatários demoraram mais do que o serviço espera.',
  },
  'signer.unreachable': {
    en: 'The signature platform could not be reached. Retry when it answers again.',
    'pt-BR': 'A plataforma de assinatura não respondeu. Repita quando ela voltar.',
  },
  'cnab240.invalid': {
    en: 'The file is not a valid CNAB240 remittance. The recorded message says where.',
    'pt-BR': 'O arquivo não é uma remessa CNAB240 válida. A mensagem registrada diz onde.',
  },
  'cnab240.payment-date-passed': {
    en: 'A payment date of the file has passed. Send a corrected file.',
    'pt-BR': 'Uma data de pagamento do arquivo já passou. Envie um arquivo corrigido.',
  },
  'approval.rejected': {
    en: 'An approver rejected the file. It is not signed.',
    'pt-BR': 'Um aprovador rejeitou o arquivo. Ele não é assinado.',
  },
  'approval.content-changed': {
    en: 'The file changed between its approval and its signature. Nothing was signed: find out who changed it.',
    'pt-BR': 'O arquivo mudou entre a aprovação e a assinatura. Nada foi assinado: descubra quem o alterou.',
  },
  'approval.signatures-missing': {
    en: 'Signatures of approvers are missing, so the file was not made.',
    'pt-BR': 'Faltam assinaturas de aprovadores, então o arquivo não foi gerado.',
  },
});

/** Why a job ended as it did: in words of the language, or in the recorded sentence. Empty for a job without an error. */
export function jobErrorText(
  language: Language,
  { errorCode, errorMessage }: Pick<Job, 'errorCode' | 'errorMessage'>,
): string {
  const known: Readonly<Record<string, string>> = jobErrorWords(language);
  const text = errorCode !== null && Object.hasOwn(known, errorCode) ? known[errorCode] : undefined;
  return text ?? errorMessage ?? errorCode ?? '';
}

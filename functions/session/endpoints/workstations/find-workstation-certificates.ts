import { FindRequest, FoundCertificates } from '../../../../shared/workstation/questions.ts';
import { findAtWorkstations } from '../../domain/workstations/questions.ts';
import { questionEndpoint } from '../../http/question-endpoint.ts';

export const handler = questionEndpoint(
  {
    route: 'POST /workstations/certificates',
    summary: 'Find the certificates of a CPF at workstations',
    body: FindRequest,
    answer: FoundCertificates,
  },
  (_, { cpf }) => findAtWorkstations(cpf, Date.now()),
);

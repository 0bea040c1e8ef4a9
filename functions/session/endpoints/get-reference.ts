import { referenceEndpoint } from '../../../shared/http/reference/reference-endpoint.ts';
import { session } from '../service.ts';

export const handler = referenceEndpoint(session);

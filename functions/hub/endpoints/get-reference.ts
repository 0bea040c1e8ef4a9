import { referenceEndpoint } from '../../../shared/http/reference/reference-endpoint.ts';
import { hub } from '../service.ts';

export const handler = referenceEndpoint(hub);

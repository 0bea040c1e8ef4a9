import { referenceEndpoint } from '../../../shared/http/reference/reference-endpoint.ts';
import { documents } from '../service.ts';

export const handler = referenceEndpoint(documents);

import { healthEndpoint } from '../../../shared/http/health-endpoint.ts';
import { documents } from '../service.ts';

export const handler = healthEndpoint(documents);

import { healthEndpoint } from '../../../shared/http/health-endpoint.ts';
import { hub } from '../service.ts';

export const handler = healthEndpoint(hub);

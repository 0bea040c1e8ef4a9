import { submitLoginEndpoint } from '../../../../shared/console/login/login-endpoints.ts';
import { documents } from '../../service.ts';
import { login } from '../login.ts';

export const handler = submitLoginEndpoint(documents, login);

// Tests of what functions declare. Each loads all functions of all services, which takes seconds: in one file they share it.
import '../shared/http/reference/described.ts';
import '../shared/http/reference/openapi.ts';
import './pages.ts';
import './routes.ts';

export interface HostPaths {
  config: string;
  state: string;
  runtime: string;
  /** CHAPERONE_HOME is set: nothing is written outside it, except a socket whose path would be too long. */
  isolated: boolean;
}

/** Whether a route acts on a workspace. */
export function actsOnWorkspace(signature: string): boolean {
  return /^\w+ \/(workspaces\/current|emails|attachments)\b/.test(signature);
}

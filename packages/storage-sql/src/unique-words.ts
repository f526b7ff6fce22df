/**
 * Unique indexes whose violation the domain has a word for: the index's name, its table and columns as SQLite names
 * them, and the word.
 */
const uniqueWords = [
  { index: "users_email_key", columns: "users.email_key", word: "users.email" },
  { index: "users_external_id", columns: "users.external_id", word: "users.external_id" },
  { index: "workspaces_external_id", columns: "workspaces.external_id", word: "workspaces.external_id" },
  { index: "plans_name", columns: "plans.name", word: "plans.name" },
  { index: "plans_default", columns: "plans.is_default", word: "plans.default" },
  { index: "settings_workspace", columns: "settings.workspace_id", word: "settings.workspace" },
  { index: "members_user", columns: "members.workspace_id, members.user_id", word: "members.user" },
  { index: "members_owner", columns: "members.workspace_id", word: "members.owner" },
  {
    index: "invitations_pending",
    columns: "invitations.workspace_id, invitations.email_key",
    word: "invitations.email",
  },
  { index: "invitations_token", columns: "invitations.token_digest", word: "invitations.token" },
  { index: "api_keys_digest", columns: "api_keys.digest", word: "api_keys.digest" },
  { index: "templates_name", columns: "templates.workspace_id, templates.name", word: "templates.name" },
  {
    index: "template_versions_number",
    columns: "template_versions.template_id, template_versions.number",
    word: "template_versions.number",
  },
  {
    index: "stylesheets_name",
    columns: "stylesheets.workspace_id, stylesheets.name",
    word: "stylesheets.name",
  },
  { index: "domains_name", columns: "domains.workspace_id, domains.name", word: "domains.name" },
  {
    index: "smtp_servers_name",
    columns: "smtp_servers.workspace_id, smtp_servers.name",
    word: "smtp_servers.name",
  },
] as const;

/** The word for a violated index, by its name; without a word, the name itself. */
export const wordOfIndex = (index: string): string =>
  uniqueWords.find((entry) => entry.index === index)?.word ?? index;

/** The word for violated columns, given as `table.column, table.column`; without a word, the columns themselves. */
export const wordOfColumns = (columns: string): string =>
  uniqueWords.find((entry) => entry.columns === columns)?.word ?? columns;

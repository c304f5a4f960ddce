/** A complete production environment, with fictional providers. */
export const productionEnv = {
  MODE: "production",
  PUBLIC_URL: "https://academy.example",
  TRUST_PROXY: "1",
  SESSION_SECRET: "a secret of at least thirty-two characters",
  ADMIN_EMAILS: "owner@academy.example",
  SUPPORT_EMAIL: "support@academy.example",
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "Academy <support@academy.example>",
  OIDC_ISSUER: "built-in",
  AUTHORIZE_NET_ENVIRONMENT: "production",
  AUTHORIZE_NET_API_LOGIN_ID: "login",
  AUTHORIZE_NET_TRANSACTION_KEY: "transaction-key",
  AUTHORIZE_NET_CLIENT_KEY: "client-key",
  AUTHORIZE_NET_SIGNATURE_KEY: "0001".repeat(32),
};

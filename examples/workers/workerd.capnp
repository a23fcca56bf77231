using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.js")],
    compatibilityDate = "2024-09-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:8181", http = (), service = "main")],
);

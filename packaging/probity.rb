# A Homebrew formula. Put it into a tap as Formula/probity.rb; `url` and `sha256` are those of a release
# (`scripts/release` writes SHA256SUMS).
class Probity < Formula
  desc "Deep research that vets its sources"
  homepage "https://probity.example/"
  url "https://probity.example/releases/probity-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", "--locked", "--profile", "dist", "--path", "crates/probity", "--root", prefix
    generate_completions_from_executable(bin/"probity", "completions")
    man1.mkpath
    system bin/"probity", "man", "--dir", man1
  end

  service do
    run [opt_bin/"probity", "serve"]
    keep_alive true
    environment_variables PROBITY_HOME: var/"probity"
    log_path var/"log/probity.log"
    error_log_path var/"log/probity.log"
  end

  test do
    (testpath/"library").mkpath
    (testpath/"library/ferry.md").write "The ferry takes 40 minutes in summer."
    assert_match "40 minutes",
      shell_output("#{bin}/probity relevance --question 'How long does the ferry take?' --text 'The ferry takes 40 minutes.'")
    assert_match version.to_s, shell_output("#{bin}/probity --version")
  end
end
